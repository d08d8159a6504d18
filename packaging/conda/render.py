"""Renders recipe.yaml for linux-64 without and with CUDA, and lists what each package needs. Without a network: nothing is solved or built.

Usage: render.py     (pip install py-rattler-build; without it the exit status is 77)
"""

import sys
from pathlib import Path

try:
    from rattler_build import PlatformConfig, RenderConfig, Stage0Recipe, VariantConfig
except ModuleNotFoundError:
    print("skipped: no rattler_build (pip install py-rattler-build)")
    sys.exit(77)

EXPECTED = ["libgridblas", "gridblas-openmpi", "gridblas-mpich", "gridblas"]
recipe = Stage0Recipe.from_file(Path(__file__).with_name("recipe.yaml"))
for cuda in ("None", "13.0"):
    variants = {
        "cuda_compiler_version": [cuda],
        "c_compiler": ["gcc"],
        "cxx_compiler": ["gxx"],
        "cuda_compiler": ["cuda-nvcc"],
        "c_stdlib": ["sysroot"],
        "c_stdlib_version": ["2.28"],
    }
    rendered = recipe.render(VariantConfig(variants), RenderConfig(PlatformConfig(target_platform="linux-64")))
    names = [str(variant.recipe.package.name) for variant in rendered]
    if sorted(names) != sorted(EXPECTED):
        sys.exit(f"packages {EXPECTED} are expected, not {names}")
    print(f"CUDA {cuda}:")
    for variant in rendered:
        made = variant.recipe.to_dict()
        print(f"  {made['package']['name']} {made['package']['version']}, {made['build'].get('string')}")
        for kind, needed in made["requirements"].items():
            print(f"    {kind}: {needed}")
