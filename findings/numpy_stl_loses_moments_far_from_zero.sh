#!/usr/bin/env bash
# numpy-stl 2.9.0 (Debian's python3-stl): get_mass_properties integrates about the file's origin in single precision and
# subtracts the parallel axes. A solid of size 1 that stands 100 away, as a part does that is drawn in its assembly's place, has
# moments that are off by up to 18 %; at 1000 all three are negative, and nothing is said. Corners are whole numbers, so
# that the file itself loses nothing. Its docstring promises volume, centre of gravity and the inertia matrix. Guess, before it was
# run: right at 1000 too (wrong). kinetree integrates about the middle of the mesh.
source "$(dirname "$(readlink -f "$0")")/unpack.bash"
unpack python3-stl=2.9.0-2+b3 python3-numpy=1:1.24.2-1+deb12u1 python3-python-utils=3.5.2-1 libblas3=3.11.0-2 liblapack3=3.11.0-2 \
  libgfortran5=12.2.0-14+deb12u1
libraries="$folder/root/usr/lib/$(gcc -print-multiarch)"
cat > mass.py <<'X'
import numpy
from stl import mesh
corners = numpy.array([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]], float)
for off in 0, 10, 100, 1000:
    solid = mesh.Mesh(numpy.zeros(4, dtype=mesh.Mesh.dtype))
    for k, triangle in enumerate([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]):
        solid.vectors[k] = corners[triangle] + off
    volume, centre, inertia = solid.get_mass_properties()
    print('at', off, 'volume', round(float(volume), 4), 'moments', *(round(float(x), 4) for x in numpy.diag(inertia)))
X
expect "at 0 volume 1.0 moments 0.4875 0.375 0.1875
at 10 volume 1.0 moments 0.4875 0.375 0.1875
at 100 volume 1.0 moments 0.4875 0.4083 0.2208
at 1000 volume 1.0 moments -0.5458 -144.9403 -156.6278" \
  "$(PYTHONPATH=root/usr/lib/python3/dist-packages LD_LIBRARY_PATH=$libraries:$libraries/blas:$libraries/lapack /usr/bin/python3 -W ignore mass.py 2>&1)"
