"""What every command needs of a terminal: language, colour, progress, complaints, help; modules that are loaded when they are first used."""
