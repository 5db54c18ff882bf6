<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>Banner</name>
    <message numerus="yes">
        <source>%Ln task(s) are left to do.</source>
        <translation>
            <numerusform>%Ln task is left to do.</numerusform>
            <numerusform>%Ln tasks are left to do.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln task(s) did not succeed.</source>
        <translation>
            <numerusform>%Ln task did not succeed.</numerusform>
            <numerusform>%Ln tasks did not succeed.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SystemWords</name>
    <message numerus="yes">
        <source>The system has %n processor(s)</source>
        <translation>
            <numerusform>The system has %n processor</numerusform>
            <numerusform>The system has %n processors</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tasuki::AcknowledgeDialog</name>
    <message numerus="yes">
        <source>You have seen %n alarm(s) and say so to all:</source>
        <translation>
            <numerusform>You have seen %n alarm and say so to all:</numerusform>
            <numerusform>You have seen %n alarms and say so to all:</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tasuki::AddTasksDialog</name>
    <message numerus="yes">
        <source>%n error(s): mend them before the tasks can be added.</source>
        <translation>
            <numerusform>%n error: mend it before the tasks can be added.</numerusform>
            <numerusform>%n errors: mend them before the tasks can be added.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) will be added.</source>
        <translation>
            <numerusform>%n task will be added.</numerusform>
            <numerusform>%n tasks will be added.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) added.</source>
        <translation>
            <numerusform>%n task added.</numerusform>
            <numerusform>%n tasks added.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tasuki::AlarmPanel</name>
    <message numerus="yes">
        <source>%n open alarm(s).</source>
        <translation>
            <numerusform>%n open alarm.</numerusform>
            <numerusform>%n open alarms.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tasuki::AllocationText</name>
    <message numerus="yes">
        <source>%Ln allocation(s).</source>
        <translation>
            <numerusform>%Ln allocation.</numerusform>
            <numerusform>%Ln allocations.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Mean prediction error %1 over %Ln measured allocation(s).</source>
        <translation>
            <numerusform>Mean prediction error %1 over %Ln measured allocation.</numerusform>
            <numerusform>Mean prediction error %1 over %Ln measured allocations.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more task(s)</source>
        <translation>
            <numerusform>and %n more task</numerusform>
            <numerusform>and %n more tasks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tasuki::AttemptText</name>
    <message numerus="yes">
        <source>&lt;b&gt;%n attempts here&lt;/b&gt;</source>
        <translation>
            <numerusform>&lt;b&gt;%n attempt here&lt;/b&gt;</numerusform>
            <numerusform>&lt;b&gt;%n attempts here&lt;/b&gt;</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n did not succeed</source>
        <translation>
            <numerusform>%n did not succeed</numerusform>
            <numerusform>%n did not succeed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tasuki::CellTableModel</name>
    <message numerus="yes">
        <source>Nothing was pasted: there are %n row(s), but fewer from this cell on.</source>
        <translation>
            <numerusform>Nothing was pasted: there are %n row, but fewer from this cell on.</numerusform>
            <numerusform>Nothing was pasted: there are %n rows, but fewer from this cell on.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Nothing was pasted: there are %n column(s), but fewer from this cell on.</source>
        <translation>
            <numerusform>Nothing was pasted: there are %n column, but fewer from this cell on.</numerusform>
            <numerusform>Nothing was pasted: there are %n columns, but fewer from this cell on.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tasuki::CommandReport</name>
    <message numerus="yes">
        <source>%1: done for %n task(s).</source>
        <translation>
            <numerusform>%1: done for %n task.</numerusform>
            <numerusform>%1: done for %n tasks.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: done for %n alarm(s).</source>
        <translation>
            <numerusform>%1: done for %n alarm.</numerusform>
            <numerusform>%1: done for %n alarms.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tasuki::ConflictList</name>
    <message numerus="yes">
        <source>Others have changed %n value(s) that you edit. Nothing is overwritten without you: decide what shall stand.</source>
        <translation>
            <numerusform>Others have changed %n value that you edit. Nothing is overwritten without you: decide what shall stand.</numerusform>
            <numerusform>Others have changed %n values that you edit. Nothing is overwritten without you: decide what shall stand.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tasuki::DiffView</name>
    <message numerus="yes">
        <source>  ... %n line(s) stay</source>
        <translation>
            <numerusform>  ... %n line stays</numerusform>
            <numerusform>  ... %n lines stay</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tasuki::EditBar</name>
    <message numerus="yes">
        <source>%n changed task(s)</source>
        <translation>
            <numerusform>%n changed task</numerusform>
            <numerusform>%n changed tasks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n changed task(s) on the way</source>
        <translation>
            <numerusform>%n changed task on the way</numerusform>
            <numerusform>%n changed tasks on the way</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) that you edited have changed meanwhile.</source>
        <translation>
            <numerusform>%n task that you edited has changed meanwhile.</numerusform>
            <numerusform>%n tasks that you edited have changed meanwhile.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tasuki::EditedTopology</name>
    <message numerus="yes">
        <source>Duplicate %n subcluster(s)</source>
        <translation>
            <numerusform>Duplicate %n subcluster</numerusform>
            <numerusform>Duplicate %n subclusters</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Remove %n subcluster(s)</source>
        <translation>
            <numerusform>Remove %n subcluster</numerusform>
            <numerusform>Remove %n subclusters</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Move %n subcluster(s) up</source>
        <translation>
            <numerusform>Move %n subcluster up</numerusform>
            <numerusform>Move %n subclusters up</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Move %n subcluster(s) down</source>
        <translation>
            <numerusform>Move %n subcluster down</numerusform>
            <numerusform>Move %n subclusters down</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Change %n cell(s)</source>
        <translation>
            <numerusform>Change %n cell</numerusform>
            <numerusform>Change %n cells</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tasuki::EnvironmentDocument</name>
    <message numerus="yes">
        <source>Change %n cell(s)</source>
        <translation>
            <numerusform>Change %n cell</numerusform>
            <numerusform>Change %n cells</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Default for %n link(s)</source>
        <translation>
            <numerusform>Default for %n link</numerusform>
            <numerusform>Default for %n links</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Duplicate %n node(s)</source>
        <translation>
            <numerusform>Duplicate %n node</numerusform>
            <numerusform>Duplicate %n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Remove %n node(s)</source>
        <translation>
            <numerusform>Remove %n node</numerusform>
            <numerusform>Remove %n nodes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tasuki::EnvironmentPanel</name>
    <message numerus="yes">
        <source>&amp;Links (%n own)</source>
        <translation>
            <numerusform>&amp;Links (%n own)</numerusform>
            <numerusform>&amp;Links (%n own)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) removed, with the links from and to them.</source>
        <translation>
            <numerusform>%n node removed, with the links from and to them.</numerusform>
            <numerusform>%n nodes removed, with the links from and to them.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tasuki::EventListModel</name>
    <message numerus="yes">
        <source>Rank %1 is held by another process, on %2 with %n slot(s)</source>
        <translation>
            <numerusform>Rank %1 is held by another process, on %2 with %n slot</numerusform>
            <numerusform>Rank %1 is held by another process, on %2 with %n slots</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Rank %1 joined on %2 with %n slot(s)</source>
        <translation>
            <numerusform>Rank %1 joined on %2 with %n slot</numerusform>
            <numerusform>Rank %1 joined on %2 with %n slots</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tasuki::FileEditorPanel</name>
    <message numerus="yes">
        <source>%1 cannot be used: %n thing(s) wrong in it</source>
        <translation>
            <numerusform>%1 cannot be used: %n thing wrong in it</numerusform>
            <numerusform>%1 cannot be used: %n things wrong in it</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 is open; %n thing(s) to note</source>
        <translation>
            <numerusform>%1 is open; %n thing to note</numerusform>
            <numerusform>%1 is open; %n things to note</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tasuki::LiveTopology</name>
    <message numerus="yes">
        <source>Take %n value(s) as the system runs</source>
        <translation>
            <numerusform>Take %n value as the system runs</numerusform>
            <numerusform>Take %n values as the system runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tasuki::MainWindow</name>
    <message numerus="yes">
        <source>(%n alarm(s))</source>
        <translation>
            <numerusform>(%n alarm)</numerusform>
            <numerusform>(%n alarms)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n changed task(s) were not sent to the agent.</source>
        <translation>
            <numerusform>%n changed task was not sent to the agent.</numerusform>
            <numerusform>%n changed tasks were not sent to the agent.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n edited value(s) of the topology were not applied to the running system.</source>
        <translation>
            <numerusform>%n edited value of the topology was not applied to the running system.</numerusform>
            <numerusform>%n edited values of the topology were not applied to the running system.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tasuki::OutcomeView</name>
    <message numerus="yes">
        <source>%n processor(s)</source>
        <translation>
            <numerusform>%n processor</numerusform>
            <numerusform>%n processors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n subcluster(s)</source>
        <translation>
            <numerusform>%n subcluster</numerusform>
            <numerusform>%n subclusters</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n unit(s)</source>
        <translation>
            <numerusform>%n unit</numerusform>
            <numerusform>%n units</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thing(s) to note in this launch</source>
        <translation>
            <numerusform>%n thing to note in this launch</numerusform>
            <numerusform>%n things to note in this launch</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The topology does not fit this launch: %n thing(s) wrong</source>
        <translation>
            <numerusform>The topology does not fit this launch: %n thing wrong</numerusform>
            <numerusform>The topology does not fit this launch: %n things wrong</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tasuki::ProblemBar</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tasuki::RunningPanel</name>
    <message numerus="yes">
        <source>%n value(s) not applied</source>
        <translation>
            <numerusform>%n value not applied</numerusform>
            <numerusform>%n values not applied</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Others have changed the running system. %n value(s) are shown as they are now:</source>
        <translation>
            <numerusform>Others have changed the running system. %n value is shown as it is now:</numerusform>
            <numerusform>Others have changed the running system. %n values are shown as they are now:</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The running system has taken %n value(s).</source>
        <translation>
            <numerusform>The running system has taken %n value.</numerusform>
            <numerusform>The running system has taken %n values.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tasuki::SystemTreeText</name>
    <message numerus="yes">
        <source>%n processor(s)</source>
        <translation>
            <numerusform>%n processor</numerusform>
            <numerusform>%n processors</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tasuki::TaskActions</name>
    <message numerus="yes">
        <source>%n running task(s) will be killed. Cancel the selected tasks?</source>
        <translation>
            <numerusform>%n running task will be killed. Cancel the selected tasks?</numerusform>
            <numerusform>%n running tasks will be killed. Cancel the selected tasks?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>For %n selected task(s) (%1):</source>
        <translation>
            <numerusform>For %n selected task (%1):</numerusform>
            <numerusform>For %n selected tasks (%1):</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n command(s) copied.</source>
        <translation>
            <numerusform>%n command copied.</numerusform>
            <numerusform>%n commands copied.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of the selected task(s) have succeeded. Do them once more?</source>
        <translation>
            <numerusform>%n of the selected tasks has succeeded. Do it once more?</numerusform>
            <numerusform>%n of the selected tasks have succeeded. Do them once more?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tasuki::TaskDrafts</name>
    <message numerus="yes">
        <source>Edit %n task(s)</source>
        <translation>
            <numerusform>Edit %n task</numerusform>
            <numerusform>Edit %n tasks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tasuki::TaskPanel</name>
    <message numerus="yes">
        <source>%Ln task(s)</source>
        <translation>
            <numerusform>%Ln task</numerusform>
            <numerusform>%Ln tasks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tasuki::TopologyEditors</name>
    <message numerus="yes">
        <source>%n thing(s) to mend before the system can take the topology</source>
        <translation>
            <numerusform>%n thing to mend before the system can take the topology</numerusform>
            <numerusform>%n things to mend before the system can take the topology</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thing(s) to mend before the topology can be saved</source>
        <translation>
            <numerusform>%n thing to mend before the topology can be saved</numerusform>
            <numerusform>%n things to mend before the topology can be saved</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tasuki::TopologyPanel</name>
    <message numerus="yes">
        <source>%n subcluster(s) removed.</source>
        <translation>
            <numerusform>%n subcluster removed.</numerusform>
            <numerusform>%n subclusters removed.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Saving writes the file anew: %n comment(s) of its own would be lost</source>
        <translation>
            <numerusform>Saving writes the file anew: %n comment of its own would be lost</numerusform>
            <numerusform>Saving writes the file anew: %n comments of its own would be lost</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tasuki::TraceTitle</name>
    <message numerus="yes">
        <source>%Ln messages; zoom in to see them</source>
        <translation>
            <numerusform>%Ln message; zoom in to see it</numerusform>
            <numerusform>%Ln messages; zoom in to see them</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tasuki::TraceText</name>
    <message numerus="yes">
        <source>%Ln calls here</source>
        <translation>
            <numerusform>%Ln call here</numerusform>
            <numerusform>%Ln calls here</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tasuki::planner::PlanPage</name>
    <message numerus="yes">
        <source>%n note(s) on the trace</source>
        <translation>
            <numerusform>%n note on the trace</numerusform>
            <numerusform>%n notes on the trace</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Measured runtimes of %n allocation(s)</source>
        <translation>
            <numerusform>Measured runtimes of %n allocation</numerusform>
            <numerusform>Measured runtimes of %n allocations</numerusform>
        </translation>
    </message>
</context>
</TS>
