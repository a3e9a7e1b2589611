"""Packaging. Everything is read from settings.ini, the one place for name, version and requirements."""
from configparser import ConfigParser
from pathlib import Path

from setuptools import find_packages, setup

config = ConfigParser(delimiters=['='])
config.read('settings.ini', encoding='utf-8')
cfg = config['DEFAULT']
extras = {key.removesuffix('_requirements'): value.split() for key, value in cfg.items() if key.endswith('_requirements')}

setup(
    name=cfg['lib_name'],
    version=cfg['version'],
    description=cfg['description'],
    long_description=Path('README.md').read_text(encoding='utf-8'),
    long_description_content_type='text/markdown',
    author=cfg['author'],
    license='Apache-2.0',
    url=cfg['git_url'],
    keywords=cfg['keywords'],
    packages=find_packages(include=['tinytorch', 'tinytorch.*']),
    package_data={'tinytorch': ['*.mplstyle', 'datasets/*']},
    python_requires=f">={cfg['min_python']}",
    install_requires=cfg['requirements'].split(),
    extras_require=extras,
    entry_points={'console_scripts': cfg['console_scripts'].split(), 'nbdev': [f"{cfg['lib_path']}={cfg['lib_path']}._modidx:d"]},
)
