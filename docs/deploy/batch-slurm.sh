#!/usr/bin/env bash
# `sightread batch` as a Slurm array: one task per shard, on a file system that all nodes share.
#   sbatch batch-slurm.sh INPUT OUTPUT [options]
#SBATCH --job-name=sightread
#SBATCH --array=0-7
#SBATCH --cpus-per-task=4
#SBATCH --mem=12G
#SBATCH --time=04:00:00
#SBATCH --requeue
#SBATCH --signal=B:TERM@180
#SBATCH --open-mode=append
set -uo pipefail

# The shard is read from SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT.
srun --ntasks=1 sightread batch "$@" --processes "${SLURM_CPUS_PER_TASK:-1}" &
job=$!
trap 'kill -TERM "$job"' TERM # the pages under way are finished and committed
wait "$job"
code=$?
while kill -0 "$job" 2>/dev/null; do wait "$job"; code=$?; done

case $code in
    0) exit 0 ;;
    75 | 130 | 137 | 143) # try again: a full disk, an object store, preemption, the end of the time
        [ "${SLURM_RESTART_COUNT:-0}" -lt 10 ] && scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"
        exit "$code" ;;
    *) exit "$code" ;; # wrong options or input, a machine that lacks something, a defect
esac
