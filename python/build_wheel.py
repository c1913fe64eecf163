"""What pip calls (PEP 517): the package `kinetree`, built by CMake, as a wheel.

build/release, as the README's commands make it, is used where it is there; else build/python gets the library and the
module alone. KINETREE_BUILD names another build folder.
"""

import base64
import hashlib
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
PLATFORM = sysconfig.get_platform().replace("-", "_").replace(".", "_")
TAG = "cp{0}{1}-cp{0}{1}-{2}".format(*sys.version_info[:2], PLATFORM)


def version():
    return re.search(r"project\(kinetree VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def run(*command):
    print("+", *command, flush=True)
    subprocess.run([str(word) for word in command], check=True)


def suffix_of(interpreter):
    asked = "import sysconfig; print(sysconfig.get_config_var('EXT_SUFFIX'))"
    return subprocess.run([interpreter, "-c", asked], capture_output=True, text=True).stdout.strip()


def made_for_this_python(build):
    """Whether a build folder is this tree's, and makes the module for an interpreter like this one."""
    cache = build / "CMakeCache.txt"
    if not cache.exists():
        return False
    entries = dict(re.findall(r"^(\w+):\w+=(.*)$", cache.read_text(), re.M))
    other = entries.get("KINETREE_INTERPRETER", "")
    return entries.get("CMAKE_HOME_DIRECTORY") == str(ROOT) and (
        not other or suffix_of(other) == sysconfig.get_config_var("EXT_SUFFIX"))


def refuse_without_numpy():
    """Before minutes of building: the package could not be imported."""
    if importlib.util.find_spec("numpy") is None:
        sys.exit(f"kinetree: {sys.executable} has no numpy. Make the venv by a Python that has it, which is the system's with "
                 "python3-numpy: /usr/bin/python3 -m venv --system-site-packages venv")


def built(stage):
    refuse_without_numpy()
    build = pathlib.Path(os.environ.get("KINETREE_BUILD", ROOT / "build" / "release"))
    if not made_for_this_python(build):
        build = ROOT / "build" / "python"
        run("cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DKINETREE_TOOLS=OFF",
            "-DKINETREE_TESTS=OFF", "-DKINETREE_EXAMPLES=OFF", "-DKINETREE_SKO=OFF", "-DKINETREE_MPI=OFF",
            f"-DKINETREE_INTERPRETER={sys.executable}")
    run("cmake", "--build", build, "--target", "kinetree_python")
    run("cmake", "--install", build, "--component", "python", "--prefix", stage)


def metadata():
    about = (f"Metadata-Version: 2.1\nName: kinetree\nVersion: {version()}\n"
             "Summary: Forward dynamics of articulated mechanisms\nLicense: BSD-3-Clause\nRequires-Python: >=3.10\n"
             "Requires-Dist: numpy\n")
    wheel = f"Wheel-Version: 1.0\nGenerator: kinetree\nRoot-Is-Purelib: false\nTag: {TAG}\n"
    return {"METADATA": about, "WHEEL": wheel}


def get_requires_for_build_wheel(config_settings=None):
    return []


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    info = f"kinetree-{version()}.dist-info"
    name = f"kinetree-{version()}-{TAG}.whl"
    with tempfile.TemporaryDirectory() as stage:
        built(stage)
        staged = sorted(p for p in pathlib.Path(stage).rglob("*") if p.is_file())
        files = {str(p.relative_to(stage)): p.read_bytes() for p in staged}
    files.update({f"{info}/{key}": text.encode() for key, text in metadata().items()})
    files[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    record = "".join(
        f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\n"
        for path, data in files.items())
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED, compresslevel=1) as wheel:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path)
            entry.external_attr = (0o100755 if path.startswith("kinetree/bin/") else 0o100644) << 16
            wheel.writestr(entry, data, zipfile.ZIP_DEFLATED, 1)
    return name
