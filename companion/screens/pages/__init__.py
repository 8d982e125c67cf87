"""Every screen but the race and the way to it: home, rules, sheets, history, the referee's word, settings, status."""
