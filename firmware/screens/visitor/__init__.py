"""Pages for visitors of a kiosk: the lesson, the attract loop."""
