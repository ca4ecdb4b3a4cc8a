"""What people type in, what they read out. One module per command or group of commands."""
