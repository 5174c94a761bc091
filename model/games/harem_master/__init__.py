"""The comprehensive rules of "Harem Master", part by part."""
