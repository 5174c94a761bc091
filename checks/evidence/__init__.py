"""Evidence for what a run says, as plain data that the checker of certificates (`checks/certify`) accepts or refuses."""
