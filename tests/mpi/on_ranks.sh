#!/usr/bin/env bash
# usage: on_ranks.sh MPIEXEC RANKS PROGRAM [ARGUMENT...]: as root and on fewer cores than ranks too, with Open MPI and MPICH.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_mpi_yield_when_idle=1                    # ranks that wait give their core away
export OMPI_MCA_btl_vader_single_copy_mechanism=none     # containers may forbid it
export OMPI_MCA_plm_rsh_agent=                           # this machine alone: none is looked for
export OMPI_MCA_hwloc_base_binding_policy=none
exec "$1" -n "$2" "${@:3}"
