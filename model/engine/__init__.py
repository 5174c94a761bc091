"""The reference engine: an interpreter of the IR, plays and replays."""
