"""`python -m rulewright.checks` is the command `rulewright`."""
import os
import signal
import sys


def leave(*_: object) -> None:
    """Ctrl-C before there is anything to end."""
    os._exit(130)


def main() -> int:
    """The command `rulewright`: gives the exit code."""
    usual = signal.signal(signal.SIGINT, leave)
    from .cli import main as run

    signal.signal(signal.SIGINT, usual)
    code = run()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is done, and Python itself would end in another way from here on
    cluster = sys.modules.get("rulewright.checks.native.cluster")
    if code == 130 or (cluster is not None and cluster.is_lost()):  # something may have been half loaded; Ray would wait, and end badly
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    return code


if __name__ == "__main__":
    sys.exit(main())
