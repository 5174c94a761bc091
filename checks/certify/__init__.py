"""The checker of certificates: it accepts evidence for what a run says, or refuses it, and believes nothing else.

It knows the reference interpreter, the IR and z3. The explorer, compiled code, symmetry and every strategy of proof are strangers to
it: what these found is written down as plain data (`checks/evidence`), and looked at here from the beginning. Small on purpose: at most
500 statements, imports and length are held by a test (`tests/checks/certify/test_checker.py`).
"""
