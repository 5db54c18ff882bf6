<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>tasuki::AddTasksDialog</name>
    <message numerus="yes">
        <source>%n error(s): mend them before the tasks can be added.</source>
        <translation><numerusform>%n error: mend it before the tasks can be added.</numerusform><numerusform>%n errors: mend them before the tasks can be added.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) will be added.</source>
        <translation><numerusform>%n task will be added.</numerusform><numerusform>%n tasks will be added.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) added.</source>
        <translation><numerusform>%n task added.</numerusform><numerusform>%n tasks added.</numerusform></translation>
    </message>
</context>
<context>
    <name>tasuki::AttemptText</name>
    <message numerus="yes">
        <source>&lt;b&gt;%n attempts here&lt;/b&gt;</source>
        <translation><numerusform>&lt;b&gt;%n attempt here&lt;/b&gt;</numerusform><numerusform>&lt;b&gt;%n attempts here&lt;/b&gt;</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n did not succeed</source>
        <translation><numerusform>%n did not succeed</numerusform><numerusform>%n did not succeed</numerusform></translation>
    </message>
</context>
<context>
    <name>tasuki::CommandReport</name>
    <message numerus="yes">
        <source>%1: done for %n task(s).</source>
        <translation><numerusform>%1: done for %n task.</numerusform><numerusform>%1: done for %n tasks.</numerusform></translation>
    </message>
</context>
<context>
    <name>tasuki::EditBar</name>
    <message numerus="yes">
        <source>%n changed task(s)</source>
        <translation><numerusform>%n changed task</numerusform><numerusform>%n changed tasks</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n changed task(s) on the way</source>
        <translation><numerusform>%n changed task on the way</numerusform><numerusform>%n changed tasks on the way</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) that you edited have changed meanwhile.</source>
        <translation><numerusform>%n task that you edited has changed meanwhile.</numerusform><numerusform>%n tasks that you edited have changed meanwhile.</numerusform></translation>
    </message>
</context>
<context>
    <name>tasuki::EventListModel</name>
    <message numerus="yes">
        <source>Rank %1 is held by another process, on %2 with %n slot(s)</source>
        <translation><numerusform>Rank %1 is held by another process, on %2 with %n slot</numerusform><numerusform>Rank %1 is held by another process, on %2 with %n slots</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>Rank %1 joined on %2 with %n slot(s)</source>
        <translation><numerusform>Rank %1 joined on %2 with %n slot</numerusform><numerusform>Rank %1 joined on %2 with %n slots</numerusform></translation>
    </message>
</context>
<context>
    <name>tasuki::MainWindow</name>
    <message numerus="yes">
        <source>%n changed task(s) were not sent to the agent. Discard the changes?</source>
        <translation><numerusform>%n changed task was not sent to the agent. Discard the changes?</numerusform><numerusform>%n changed tasks were not sent to the agent. Discard the changes?</numerusform></translation>
    </message>
</context>
<context>
    <name>tasuki::TaskActions</name>
    <message numerus="yes">
        <source>%n running task(s) will be killed. Cancel the selected tasks?</source>
        <translation><numerusform>%n running task will be killed. Cancel the selected tasks?</numerusform><numerusform>%n running tasks will be killed. Cancel the selected tasks?</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>For %n selected task(s) (%1):</source>
        <translation><numerusform>For %n selected task (%1):</numerusform><numerusform>For %n selected tasks (%1):</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n command(s) copied.</source>
        <translation><numerusform>%n command copied.</numerusform><numerusform>%n commands copied.</numerusform></translation>
    </message>
</context>
<context>
    <name>tasuki::TaskDrafts</name>
    <message numerus="yes">
        <source>Edit %n task(s)</source>
        <translation><numerusform>Edit %n task</numerusform><numerusform>Edit %n tasks</numerusform></translation>
    </message>
</context>
<context>
    <name>tasuki::TaskPanel</name>
    <message numerus="yes">
        <source>%n task(s)</source>
        <translation><numerusform>%n task</numerusform><numerusform>%n tasks</numerusform></translation>
    </message>
</context>
</TS>
