"""The matches in `stored`, which earlier releases have stored."""

from pathlib import Path

MATCHES = sorted((Path(__file__).parent / "stored").glob("*.jsonl"))
