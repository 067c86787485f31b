"""The installed service: watchdog, health, crashes, safe mode, status, power."""
