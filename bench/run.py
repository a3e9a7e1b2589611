"""Time this library beside PyTorch eager, autograd and MyGrad: `python bench/run.py [--threads 1 2] [--rounds 9] [--only mlp op]`.

One process a framework and thread count; the frameworks take turns, round after round, so that a slow moment of the
machine hits all of them. Before anything is timed, all must reach the same losses or gradients. Printed is the median
time a step, and the median over the rounds of our time over PyTorch's: below 1, we are faster.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

from common import NAMES

HERE = Path(__file__).parent
PEERS = HERE.parent / '.venv-parity' / 'bin' / 'python'
SIDES = {'tinytorch': sys.executable, 'torch': PEERS, 'autograd': PEERS, 'mygrad': PEERS}
GOALS = {'mlp': .85, 'cnn': 1.5, 'op': .5, 'gpt': 1.5, 'generate': 1.}


class Side:
    """A framework in a process of its own."""

    def __init__(self, name, python, threads):
        env = {**os.environ, **{f'{v}_NUM_THREADS': str(threads) for v in ('OMP', 'OPENBLAS', 'MKL')}}
        for key in ('OPENBLAS_CORETYPE', 'OPENBLAS_L2_SIZE'): env.pop(key, None)  # settings for old builds slow a current numpy
        self.name = name
        self.process = subprocess.Popen([python, HERE / f'side_{name}.py'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)

    def run(self, workload, n):
        """Run n steps; (seconds a step, last value), or None if the framework lacks the workload."""
        print(json.dumps([workload, n]), file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        if not line: sys.exit(f'{self.name} ended while running {workload}')
        answer = json.loads(line)
        return answer and (answer[0] / n, answer[1])

    def close(self):
        """End the process."""
        self.process.stdin.close()
        self.process.wait()


def agree(workload, sides):
    """The sides that have the workload, after five steps in which their values must agree to 1e-3 relative."""
    for _ in range(5):
        values = {side: answer[1] for side in sides if (answer := side.run(workload, 1))}
        reference = next(iter(values.values()), [])
        for side, value in values.items():
            if any(abs(a - b) > 1e-3 * max(1, abs(b)) for a, b in zip(value, reference)) or len(value) != len(reference):
                sys.exit(f'{workload}: {side.name} gives {value}, {next(iter(values)).name} gives {reference}')
    return list(values)


def measure(workload, sides, rounds):
    """Seconds a step for each side, a list of one for each round."""
    counts = {side: max(1, int(.1 / max(side.run(workload, 1)[0], side.run(workload, 2)[0]))) for side in sides}
    times = {side: [] for side in sides}
    for _ in range(rounds):
        for side in sides: times[side].append(side.run(workload, counts[side])[0])
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--threads', type=int, nargs='+', default=[1, 2])
    parser.add_argument('--rounds', type=int, default=9)
    parser.add_argument('--only', nargs='*', default=[''], help='workloads whose names begin so')
    args = parser.parse_args()
    for threads in args.threads:
        print(f"\n{f'threads: {threads}':32}" + ''.join(f'{name:>14}' for name in SIDES) + f"{'ours/torch':>13}{'goal':>7}")
        sides, ratios = [Side(name, python, threads) for name, python in SIDES.items()], []
        for workload in (n for n in NAMES if n.startswith(tuple(args.only))):
            times = measure(workload, agree(workload, sides), args.rounds)
            cells = [f'{statistics.median(times[s]) * 1e6:,.1f} us' if s in times else '-' for s in sides]
            ratio = goal = ''
            if sides[0] in times and sides[1] in times:
                ratio = statistics.median(a / b for a, b in zip(times[sides[0]], times[sides[1]]))
                if workload.startswith('op '): ratios.append(ratio)
                ratio, goal = f'{ratio:.2f}', GOALS.get(workload.split()[0], '')
            print(f'{workload:32}' + ''.join(f'{c:>14}' for c in cells) + f'{ratio:>13}{goal:>7}', flush=True)
        if ratios: print(f"{'all op, median and worst':32}{'':56}{statistics.median(ratios):>13.2f}{GOALS['op']:>7}   worst {max(ratios):.2f}")
        for side in sides: side.close()


if __name__ == '__main__': main()
