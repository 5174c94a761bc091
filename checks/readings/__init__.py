"""What readings do: which are asked for, what a finding hangs on, what a settlement would change."""
