# Every directive, on commands that run anywhere.
# A line is a command for the shell. A line that begins with # is a comment; one that begins with
# #TASUKI says something about the tasks that follow it.
echo 'nothing was said above this one: the options of the command line hold'

# retries: how often a task may be tried again after it failed. It holds until it is set again.
#TASUKI retries=2
echo 'tried again up to twice when it fails, is killed or overruns its time'
#TASUKI retries=exit:2,signal:1,timeout:0,lost:5
echo 'each cause has its own number; lost: the processor went away'
#TASUKI retries=default
echo 'as on the command line again'

# timeout: how long an attempt may run, e.g. 500ms, 10s, 1.5s, 10m, 2h, 1d, 1h30m.
#TASUKI timeout=1m30s
sleep 0.2
#TASUKI timeout=none
echo 'as long as it takes'
#TASUKI timeout=default

# time: what an attempt takes. It does not start when the allocation of a batch system ends before that.
# warn: a signal for what still runs so long before it is interrupted because the allocation ends.
#TASUKI time=1m warn=USR1@30s
trap 'echo the allocation ends' USR1; sleep 0.2
#TASUKI time=default warn=default

# cwd: the directory to run in; a relative one starts from where the run was started.
#TASUKI cwd=/
pwd
#TASUKI cwd=default

# env: variables that are added to the environment, one more with every env=.
#TASUKI env=COLOUR=green env=GREETING='good morning'
echo "$GREETING from a $COLOUR task"
#TASUKI env=COLOUR=blue
echo "$GREETING from a $COLOUR task"
#TASUKI env=default

# label and after: they belong to the next task alone. Several tasks may have the same label.
#TASUKI label=measure
echo 'first measurement'
#TASUKI label=measure
echo 'second measurement'
#TASUKI after=measure label=mean
echo 'starts when both measurements have succeeded'
#TASUKI after=measure,mean
echo 'starts when all three have'

# barrier: everything above it must have ended before anything below it starts.
#TASUKI barrier
echo 'the last task' \
    'may be continued on the next line'
