<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="ja" sourcelanguage="en">
<context>
    <name>Banner</name>
    <message numerus="yes">
        <source>%Ln task(s) are left to do.</source>
        <translation>
            <numerusform>未実行のタスクが %Ln 件残っています。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln task(s) did not succeed.</source>
        <translation>
            <numerusform>成功しなかったタスクが %Ln 件あります。</numerusform>
        </translation>
    </message>
    <message>
        <source>The run has ended. What has succeeded is not done again.</source>
        <translation>実行は終了しました。成功したタスクは再実行されません。</translation>
    </message>
    <message>
        <source>What is shown is %1 old.</source>
        <translation>表示は %1 前の情報です。</translation>
    </message>
    <message>
        <source>The connection to the agent is lost.</source>
        <translation>エージェントとの接続が切れました。</translation>
    </message>
    <message>
        <source>The connection to the agent is lost; next try in %1 s.</source>
        <translation>エージェントとの接続が切れました。%1 秒後に再接続します。</translation>
    </message>
    <message>
        <source>This file cannot be shown.</source>
        <translation>このファイルは表示できません。</translation>
    </message>
    <message>
        <source>The agent cannot be used.</source>
        <translation>このエージェントは利用できません。</translation>
    </message>
    <message>
        <source>The run has ended, and so has its agent.</source>
        <translation>実行とエージェントは終了しました。</translation>
    </message>
    <message>
        <source>The agent has ended before the run was complete.</source>
        <translation>実行が完了する前にエージェントが終了しました。</translation>
    </message>
    <message>
        <source>Reading the run file...</source>
        <translation>実行記録を読み込んでいます…</translation>
    </message>
    <message>
        <source>Catching up with the agent...</source>
        <translation>エージェントの最新の状態を取得しています…</translation>
    </message>
    <message>
        <source>The agent cannot write its run file and waits.</source>
        <translation>エージェントは実行記録に書き込めず、待機しています。</translation>
    </message>
    <message>
        <source>This run ends when one of its processors dies.</source>
        <translation>この実行は、プロセッサが 1 つでも停止すると終了します。</translation>
    </message>
    <message>
        <source>Start it with tasuki-agent launch, and it survives that.</source>
        <translation>tasuki-agent launch で開始すると、停止しても続行します。</translation>
    </message>
    <message>
        <source>This run was not closed: its agent was killed, or still writes.</source>
        <translation>この実行は閉じられていません。エージェントが強制終了されたか、まだ書き込み中です。</translation>
    </message>
    <message>
        <source>The latest event is %1 old.</source>
        <translation>最後のイベントは %1 前です。</translation>
    </message>
    <message>
        <source>The record of this run is damaged.</source>
        <translation>この実行の記録は破損しています。</translation>
    </message>
    <message>
        <source>What is shown ends before the damage.</source>
        <translation>表示は破損箇所の手前までです。</translation>
    </message>
    <message>
        <source>Connecting to the agent...</source>
        <translation>エージェントに接続しています…</translation>
    </message>
    <message>
        <source>A subcluster is down: the run is to start again.</source>
        <translation>サブクラスターが停止したため、実行を起動し直します。</translation>
    </message>
    <message>
        <source>As soon as it does, it goes on here.</source>
        <translation>起動し次第、この画面で続きを表示します。</translation>
    </message>
    <message>
        <source>When the run is resumed, it goes on here.</source>
        <translation>実行が再開されると、この画面で続きを表示します。</translation>
    </message>
    <message>
        <source>An agent writes this run; what is shown follows its record.</source>
        <translation>エージェントがこの実行を記録中です。表示は記録に追従します。</translation>
    </message>
    <message>
        <source>The run cannot be shown.</source>
        <translation>実行を表示できません。</translation>
    </message>
</context>
<context>
    <name>EnvironmentField</name>
    <message>
        <source>Expected %1, e.g. %2.</source>
        <translation>%1を入力してください (例: %2)。</translation>
    </message>
    <message>
        <source>Behind %1: %2</source>
        <translation>%1 の後: %2</translation>
    </message>
    <message>
        <source>The name %1.</source>
        <translation>名前%1。</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名前</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Slots</source>
        <translation>スロット</translation>
    </message>
    <message>
        <source>Cores</source>
        <translation>コア</translation>
    </message>
    <message>
        <source>Egress</source>
        <translation>送信</translation>
    </message>
    <message>
        <source>Ingress</source>
        <translation>受信</translation>
    </message>
    <message>
        <source>Speed of the traced nodes</source>
        <translation>トレース時のノードの速度</translation>
    </message>
    <message>
        <source>Messages wait above</source>
        <translation>待ち合わせるメッセージの下限</translation>
    </message>
    <message>
        <source>a0 between nodes</source>
        <translation>ノード間の a0</translation>
    </message>
    <message>
        <source>a1 between nodes</source>
        <translation>ノード間の a1</translation>
    </message>
    <message>
        <source>a0 inside a node</source>
        <translation>ノード内の a0</translation>
    </message>
    <message>
        <source>a1 inside a node</source>
        <translation>ノード内の a1</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>不明</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>制限なし</translation>
    </message>
    <message>
        <source>none</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>Burst</source>
        <translation>バースト</translation>
    </message>
    <message>
        <source>Send buffer</source>
        <translation>送信バッファ</translation>
    </message>
    <message>
        <source>Burst between nodes</source>
        <translation>ノード間のバースト</translation>
    </message>
    <message>
        <source>Burst inside a node</source>
        <translation>ノード内のバースト</translation>
    </message>
    <message>
        <source>What every message takes, however short it is</source>
        <translation>どれほど短いメッセージにもかかる時間</translation>
    </message>
    <message>
        <source>What each byte of a message takes, but for those of the burst</source>
        <translation>メッセージの 1 バイトごとにかかる時間 (バーストの分を除く)</translation>
    </message>
    <message>
        <source>Where a token bucket limits the rate, so many bytes go through at once when the link has been idle, and only what is beyond them takes a1</source>
        <translation>トークンバケットで速度が制限されたリンクでは、空いていたときにこのバイト数までが一度に通り、a1 がかかるのはそれを超えた分だけです</translation>
    </message>
    <message>
        <source>So many bytes wait for each link without their sender. Where it is not known, messages that need not wait for their receive always fit, and others not at all.</source>
        <translation>リンクごとにこのバイト数までは、送信側を待たせずに送信を待てます。不明の場合、受信側を待たないメッセージは常に収まり、それ以外はまったく収まらないものとします。</translation>
    </message>
</context>
<context>
    <name>FileWriting</name>
    <message>
        <source>%1 cannot be written: %2</source>
        <translation>%1 に書き込めません: %2</translation>
    </message>
</context>
<context>
    <name>LaunchPlan</name>
    <message>
        <source>There is no such directory.</source>
        <translation>そのディレクトリはありません。</translation>
    </message>
    <message>
        <source>You may not write in this directory.</source>
        <translation>このディレクトリには書き込めません。</translation>
    </message>
    <message>
        <source>Choose a task list.</source>
        <translation>タスクリストを選んでください。</translation>
    </message>
    <message>
        <source>There is no such file.</source>
        <translation>そのファイルはありません。</translation>
    </message>
    <message>
        <source>You may not read this file.</source>
        <translation>このファイルを読む権限がありません。</translation>
    </message>
    <message>
        <source>Between 1 and 4096.</source>
        <translation>1 から 4096 の範囲です。</translation>
    </message>
    <message>
        <source>A dedicated master needs at least two ranks.</source>
        <translation>専用マスターには 2 つ以上のランクが必要です。</translation>
    </message>
    <message>
        <source>Name the run file.</source>
        <translation>実行記録の名前を入力してください。</translation>
    </message>
    <message>
        <source>This file exists already; choose another name.</source>
        <translation>同じ名前のファイルがあります。別の名前にしてください。</translation>
    </message>
    <message>
        <source>The directory of the run file does not exist.</source>
        <translation>実行記録のディレクトリがありません。</translation>
    </message>
    <message>
        <source>Choose the files to merge.</source>
        <translation>マージするファイルを選んでください。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>file, problem</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Name the file that is written.</source>
        <translation>書き込むファイルの名前を入力してください。</translation>
    </message>
    <message>
        <source>Its directory does not exist.</source>
        <translation>そのディレクトリがありません。</translation>
    </message>
    <message>
        <source>Write hosts with their slots, e.g. node0:4,node1:8, or name a hostfile.</source>
        <translation>ホストとスロット数 (例: node0:4,node1:8) か、ホストファイルの名前を書いてください。</translation>
    </message>
    <message>
        <source>-- ends the options of mpirun: leave it out.</source>
        <translation>-- は mpirun のオプションの終わりを表します。取り除いてください。</translation>
    </message>
</context>
<context>
    <name>LaunchPreview</name>
    <message>
        <source>More than %1 processors are not tried out here.</source>
        <translation>ここで試せるのは %1 プロセッサまでです。</translation>
    </message>
    <message>
        <source>system</source>
        <translation>システム</translation>
    </message>
    <message>
        <source>subcluster</source>
        <translation>サブクラスター</translation>
    </message>
    <message>
        <source>unit</source>
        <translation>ユニット</translation>
    </message>
    <message>
        <source>Expected at least one processor.</source>
        <translation>プロセッサを 1 つ以上指定してください。</translation>
    </message>
    <message>
        <source>Expected hosts and how many processors each has, e.g. node0:4, node1:4, or how many processors in all, not &quot;%1&quot;.</source>
        <translation>ホストとそのプロセッサ数 (例: node0:4, node1:4)、または全体のプロセッサ数を入力してください。&quot;%1&quot; は使えません。</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>ユニット</translation>
    </message>
    <message>
        <source>Subcluster</source>
        <translation>サブクラスター</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>ホスト</translation>
    </message>
    <message>
        <source>Processors</source>
        <translation>プロセッサ</translation>
    </message>
    <message>
        <source>Master</source>
        <translation>マスター</translation>
    </message>
    <message>
        <source>Their numbers</source>
        <translation>番号</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>プロセッサ</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>種類</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>ランク</translation>
    </message>
    <message>
        <source>Master of</source>
        <translation>マスターの範囲</translation>
    </message>
</context>
<context>
    <name>LossText</name>
    <message>
        <source>The best: its critical path is %1 computation (most of it task %2 on %3), %4 messages and %5 calls.</source>
        <translation>最良: クリティカルパスの内訳は、計算 %1 (主に %3 のタスク %2)、メッセージ %4、呼び出し %5。</translation>
    </message>
    <message>
        <source>%1 longer than the best. On the critical path: computation %2 (most of it task %3 on %4), messages %5, calls %6.</source>
        <translation>最良より %1 長い。クリティカルパス上の差: 計算 %2 (主に %4 のタスク %3)、メッセージ %5、呼び出し %6。</translation>
    </message>
    <message>
        <source>The best so far: its critical path is %1 computation (most of it task %2 on %3), %4 messages and %5 calls.</source>
        <translation>ここまでの最良: クリティカルパスの内訳は、計算 %1 (主に %3 のタスク %2)、メッセージ %4、呼び出し %5。</translation>
    </message>
    <message>
        <source>%1 longer than the best so far. On the critical path: computation %2 (most of it task %3 on %4), messages %5, calls %6.</source>
        <translation>ここまでの最良より %1 長い。クリティカルパス上の差: 計算 %2 (主に %4 のタスク %3)、メッセージ %5、呼び出し %6。</translation>
    </message>
</context>
<context>
    <name>Menus</name>
    <message>
        <source>Open &amp;recent</source>
        <translation>最近使った実行記録(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Clear the list</source>
        <translation>一覧を消去(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>書き出し(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Task table...</source>
        <translation>タスク表(&amp;T)…</translation>
    </message>
    <message>
        <source>Timeline as a &amp;picture...</source>
        <translation>タイムラインの画像(&amp;P)…</translation>
    </message>
    <message>
        <source>&amp;Output of the attempt...</source>
        <translation>試行の出力(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Events as text...</source>
        <translation>イベントのテキスト(&amp;E)…</translation>
    </message>
    <message>
        <source>Task &amp;list with all changes...</source>
        <translation>変更後のタスクリスト(&amp;L)…</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>ファイル(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Open run file...</source>
        <translation>実行記録を開く(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Start a run...</source>
        <translation>実行を開始(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Close the run</source>
        <translation>実行を閉じる(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>終了(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>編集(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Find tasks</source>
        <translation>タスクを検索(&amp;F)</translation>
    </message>
    <message>
        <source>Clear the fi&amp;lter</source>
        <translation>絞り込みを解除(&amp;L)</translation>
    </message>
    <message>
        <source>Se&amp;ttings...</source>
        <translation>設定(&amp;T)…</translation>
    </message>
    <message>
        <source>&amp;Task</source>
        <translation>タスク(&amp;T)</translation>
    </message>
    <message>
        <source>Sto&amp;p the run</source>
        <translation>実行を停止(&amp;P)</translation>
    </message>
    <message>
        <source>Let running tasks &amp;finish...</source>
        <translation>実行中のタスクの終了を待つ(&amp;F)…</translation>
    </message>
    <message>
        <source>&amp;Kill running tasks...</source>
        <translation>実行中のタスクを強制終了(&amp;K)…</translation>
    </message>
    <message>
        <source>&amp;Overview</source>
        <translation>概要(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Timeline</source>
        <translation>タイムライン(&amp;T)</translation>
    </message>
    <message>
        <source>T&amp;asks</source>
        <translation>タスク(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Events</source>
        <translation>イベント(&amp;E)</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>拡大(&amp;I)</translation>
    </message>
    <message>
        <source>Zoom o&amp;ut</source>
        <translation>縮小(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Whole run</source>
        <translation>実行全体(&amp;W)</translation>
    </message>
    <message>
        <source>Fo&amp;llow what happens now</source>
        <translation>現在を追う(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>表示(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Reset the layout</source>
        <translation>配置を元に戻す(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Full screen</source>
        <translation>全画面表示(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>ヘルプ(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>キーボードショートカット(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;About Tasuki</source>
        <translation>Tasuki について(&amp;A)</translation>
    </message>
    <message>
        <source>Open &amp;trace to plan...</source>
        <translation>計画するトレースを開く(&amp;T)...</translation>
    </message>
    <message>
        <source>&amp;Close the planner</source>
        <translation>プランナーを閉じる(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Failovers as a table...</source>
        <translation>引き継ぎの表(&amp;F)…</translation>
    </message>
    <message>
        <source>&amp;Alarms as a table...</source>
        <translation>アラームの表(&amp;A)…</translation>
    </message>
    <message>
        <source>Syste&amp;m</source>
        <translation>システム(&amp;M)</translation>
    </message>
    <message>
        <source>Failo&amp;vers</source>
        <translation>引き継ぎ(&amp;V)</translation>
    </message>
    <message>
        <source>Alar&amp;ms</source>
        <translation>アラーム(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;New topology</source>
        <translation>新しいトポロジ(&amp;N)</translation>
    </message>
    <message>
        <source>Open topolo&amp;gy...</source>
        <translation>トポロジを開く(&amp;G)…</translation>
    </message>
    <message>
        <source>&amp;Close the topology</source>
        <translation>トポロジを閉じる(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Edit the running topology</source>
        <translation>動作中のトポロジを編集(&amp;E)</translation>
    </message>
    <message>
        <source>To&amp;pology</source>
        <translation>トポロジ(&amp;P)</translation>
    </message>
    <message>
        <source>Open run on another &amp;host...</source>
        <translation>他のホストの実行を開く(&amp;H)...</translation>
    </message>
</context>
<context>
    <name>OutputText</name>
    <message>
        <source>[%1 bytes are not kept]</source>
        <translation>[%1 バイトは保存されていません]</translation>
    </message>
</context>
<context>
    <name>ProcessorRoles</name>
    <message>
        <source>It takes no part any more.</source>
        <translation>もう参加していません。</translation>
    </message>
    <message>
        <source>It is being ended.</source>
        <translation>終了させている途中です。</translation>
    </message>
    <message>
        <source>It is not ready yet.</source>
        <translation>まだ準備ができていません。</translation>
    </message>
    <message>
        <source>It has not been heard of for some time: wait until it is, or is lost.</source>
        <translation>しばらく応答がありません。応答が戻るか、失われたと分かるまで待ってください。</translation>
    </message>
    <message>
        <source>It is a standby already.</source>
        <translation>すでに待機プロセッサです。</translation>
    </message>
    <message>
        <source>It holds a seat of another kind: make it a standby first.</source>
        <translation>別の種類の席を担当しています。先に待機にしてください。</translation>
    </message>
    <message>
        <source>That is its role already.</source>
        <translation>すでにその役割です。</translation>
    </message>
    <message>
        <source>It is drained: give it work again first.</source>
        <translation>割り当てを止めています。先に割り当てを再開してください。</translation>
    </message>
    <message>
        <source>Its subcluster has no vacant I/O place: make another processor a standby first.</source>
        <translation>サブクラスターに空いている I/O の席がありません。先にほかのプロセッサを待機にしてください。</translation>
    </message>
    <message>
        <source>Its subcluster has no vacant rank: make another processor a standby first.</source>
        <translation>サブクラスターに空いているランクがありません。先にほかのプロセッサを待機にしてください。</translation>
    </message>
    <message>
        <source>Who is a dedicated master is settled when the run starts.</source>
        <translation>専任マスターは、実行を始めるときに決まります。</translation>
    </message>
    <message>
        <source>It lets go of %1: another standby takes that over, if there is one, and what runs is run again.</source>
        <translation>%1 を手放します。ほかの待機プロセッサがあれば引き継ぎ、実行中のものはもう一度実行されます。</translation>
    </message>
    <message>
        <source>It keeps %1 as its own.</source>
        <translation>%1 をそのまま自分の席にします。</translation>
    </message>
    <message>
        <source>It gets a vacant I/O place of its subcluster.</source>
        <translation>サブクラスターの空いている I/O の席を担当します。</translation>
    </message>
    <message>
        <source>It gets a vacant rank of its subcluster, and work.</source>
        <translation>サブクラスターの空いているランクを担当し、タスクを受け取ります。</translation>
    </message>
</context>
<context>
    <name>SystemWords</name>
    <message>
        <source>expected</source>
        <comment>health of a processor</comment>
        <translation>待機中</translation>
    </message>
    <message>
        <source>alive</source>
        <comment>health of a processor</comment>
        <translation>正常</translation>
    </message>
    <message>
        <source>suspect</source>
        <comment>health of a processor</comment>
        <translation>疑わしい</translation>
    </message>
    <message>
        <source>condemned</source>
        <comment>health of a processor</comment>
        <translation>停止予定</translation>
    </message>
    <message>
        <source>lost</source>
        <comment>health of a processor</comment>
        <translation>喪失</translation>
    </message>
    <message>
        <source>fenced</source>
        <comment>health of a processor</comment>
        <translation>隔離済み</translation>
    </message>
    <message>
        <source>left</source>
        <comment>health of a processor</comment>
        <translation>離脱</translation>
    </message>
    <message>
        <source>its heartbeats are late</source>
        <translation>ハートビートが遅れています</translation>
    </message>
    <message>
        <source>nothing was heard of it</source>
        <translation>応答なし</translation>
    </message>
    <message>
        <source>its process is stopped</source>
        <translation>プロセスが一時停止しています</translation>
    </message>
    <message>
        <source>its process ended</source>
        <translation>プロセスが終了</translation>
    </message>
    <message>
        <source>it does not get on</source>
        <translation>処理が進んでいません</translation>
    </message>
    <message>
        <source>it did not come in time</source>
        <translation>時間内に参加しませんでした</translation>
    </message>
    <message>
        <source>an operator wanted it</source>
        <translation>オペレーターの指示</translation>
    </message>
    <message>
        <source>starting</source>
        <comment>state of a subcluster</comment>
        <translation>開始中</translation>
    </message>
    <message>
        <source>up</source>
        <comment>state of a subcluster</comment>
        <translation>稼働中</translation>
    </message>
    <message>
        <source>down</source>
        <comment>state of a subcluster</comment>
        <translation>停止</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>ランク %1</translation>
    </message>
    <message>
        <source>I/O %1</source>
        <translation>I/O %1</translation>
    </message>
    <message>
        <source>master</source>
        <translation>マスター</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>subcluster and place</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>system</source>
        <translation>システム</translation>
    </message>
    <message numerus="yes">
        <source>The system has %n processor(s)</source>
        <translation>
            <numerusform>システムのプロセッサは %n 台です</numerusform>
        </translation>
    </message>
    <message>
        <source>All processors are ready</source>
        <translation>すべてのプロセッサの準備ができました</translation>
    </message>
    <message>
        <source>%1 is %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1 is %2: %3</source>
        <translation>%1: %2 (%3)</translation>
    </message>
    <message>
        <source>%1 is held by %2</source>
        <translation>%1 は %2 が担当しています</translation>
    </message>
    <message>
        <source>%1 was taken over by %2 from %3</source>
        <translation>%1 を %2 が %3 から引き継ぎました</translation>
    </message>
    <message>
        <source>%1, in %2</source>
        <comment>what happened, how long it took</comment>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>%1 is given up after the loss of %2</source>
        <translation>%2 の喪失により %1 は放棄されました</translation>
    </message>
    <message>
        <source>%1 is vacant after the loss of %2</source>
        <translation>%2 の喪失により %1 は空席です</translation>
    </message>
    <message>
        <source>%1 is master of unit %2</source>
        <translation>%1 はユニット %2 のマスターです</translation>
    </message>
    <message>
        <source>%1 is master of subcluster %2</source>
        <translation>%1 はサブクラスター %2 のマスターです</translation>
    </message>
    <message>
        <source>%1 is system master</source>
        <translation>%1 はシステムマスターです</translation>
    </message>
    <message>
        <source>subcluster %1</source>
        <translation>サブクラスター %1</translation>
    </message>
    <message>
        <source>Subcluster %1 is %2</source>
        <translation>サブクラスター %1: %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>what happened, why</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>alarm</source>
        <translation>アラーム</translation>
    </message>
    <message>
        <source>%1 has acknowledged alarm %2</source>
        <translation>%1 がアラーム %2 を確認しました</translation>
    </message>
    <message>
        <source>%1 gets no new work: %2 wants it so</source>
        <translation>%1 には新しいタスクを割り当てません (%2 の指示)</translation>
    </message>
    <message>
        <source>%1 may get work again: %2 wants it so</source>
        <translation>%1 への割り当てを再開します (%2 の指示)</translation>
    </message>
    <message>
        <source>dedicated</source>
        <comment>kind of a processor: a master and nothing else</comment>
        <translation>専用</translation>
    </message>
    <message>
        <source>I/O</source>
        <comment>kind of a processor</comment>
        <translation>I/O</translation>
    </message>
    <message>
        <source>active</source>
        <comment>kind of a processor</comment>
        <translation>稼働</translation>
    </message>
    <message>
        <source>standby</source>
        <comment>kind of a processor</comment>
        <translation>待機</translation>
    </message>
    <message>
        <source>unit master</source>
        <translation>ユニットマスター</translation>
    </message>
    <message>
        <source>cluster master</source>
        <translation>クラスターマスター</translation>
    </message>
    <message>
        <source>system master</source>
        <translation>システムマスター</translation>
    </message>
    <message>
        <source>UM</source>
        <comment>unit master</comment>
        <translation>UM</translation>
    </message>
    <message>
        <source>CM</source>
        <comment>cluster master</comment>
        <translation>CM</translation>
    </message>
    <message>
        <source>SM</source>
        <comment>system master</comment>
        <translation>SM</translation>
    </message>
    <message>
        <source>%1 is system master in place of %2</source>
        <translation>%1 が %2 に代わってシステムマスターになりました</translation>
    </message>
    <message>
        <source>%1 is to end</source>
        <translation>%1 を終了させます</translation>
    </message>
    <message>
        <source>%1 is to come first</source>
        <translation>%1 を継承順の先頭にします</translation>
    </message>
    <message>
        <source>%1 is to be active</source>
        <translation>%1 の役割を稼働にします</translation>
    </message>
    <message>
        <source>%1 is to be I/O</source>
        <translation>%1 の役割を I/O にします</translation>
    </message>
    <message>
        <source>%1 is to be standby</source>
        <translation>%1 の役割を待機にします</translation>
    </message>
    <message>
        <source>%1: %2 wants it so</source>
        <translation>%1 (%2 の指示)</translation>
    </message>
    <message>
        <source>%1: that cannot be done any more, %2</source>
        <translation>%1 (もう実行できません: %2)</translation>
    </message>
    <message>
        <source>run</source>
        <translation>実行</translation>
    </message>
    <message>
        <source>The run is ending: what runs is killed</source>
        <translation>実行は終わろうとしています: 動いているタスクは強制終了します</translation>
    </message>
    <message>
        <source>The run is ending: what runs may finish</source>
        <translation>実行は終わろうとしています: 動いているタスクは最後まで実行します</translation>
    </message>
    <message>
        <source>%1; it starts again, for subcluster %2 is down</source>
        <translation>%1。サブクラスタ %2 が停止したため、もう一度始めます</translation>
    </message>
    <message>
        <source>World %1 begins again</source>
        <translation>ワールド %1 が最初からやり直されます</translation>
    </message>
    <message>
        <source>World %1 begins</source>
        <translation>ワールド %1 が始まりました</translation>
    </message>
    <message>
        <source>%1 does again what was lost</source>
        <translation>%1 は失われた分を再実行しています</translation>
    </message>
    <message>
        <source>%1 has done again what was lost, in %2</source>
        <translation>%1 は失われた分の再実行を終えました（%2）</translation>
    </message>
</context>
<context>
    <name>TaskColumn</name>
    <message>
        <source>Task</source>
        <translation>タスク</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状態</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>コマンド</translation>
    </message>
    <message>
        <source>Attempts</source>
        <translation>試行</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>結果</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>ランク</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>ホスト</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>開始</translation>
    </message>
    <message>
        <source>Run time</source>
        <translation>実行時間</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>ラベル</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>段階</translation>
    </message>
    <message>
        <source>Retries</source>
        <translation>再試行</translation>
    </message>
    <message>
        <source>Time limit</source>
        <translation>制限時間</translation>
    </message>
    <message>
        <source>Directory</source>
        <translation>ディレクトリ</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>環境変数</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>出力</translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>記録</translation>
    </message>
</context>
<context>
    <name>TaskField</name>
    <message>
        <source>A task needs a command.</source>
        <translation>タスクにはコマンドが必要です。</translation>
    </message>
    <message>
        <source>A line that begins with # is a comment.</source>
        <translation># で始まる行はコメントになります。</translation>
    </message>
    <message>
        <source>This is more than one command: put \ at the end of a line that goes on.</source>
        <translation>複数のコマンドになっています。続く行の末尾には \ を付けてください。</translation>
    </message>
    <message>
        <source>A task list cannot hold this command; put it in a script.</source>
        <translation>このコマンドはタスクリストに書けません。スクリプトにしてください。</translation>
    </message>
    <message>
        <source>%1 has no value: write NAME=VALUE.</source>
        <translation>%1 に値がありません。名前=値 の形で書いてください。</translation>
    </message>
    <message>
        <source>%1 is no name of a variable.</source>
        <translation>%1 は変数名として使えません。</translation>
    </message>
    <message>
        <source>%1 is set twice.</source>
        <translation>%1 が二重に設定されています。</translation>
    </message>
    <message>
        <source>A NUL byte cannot be part of this.</source>
        <translation>NUL バイトは使えません。</translation>
    </message>
    <message>
        <source>This must be one line.</source>
        <translation>1 行で書いてください。</translation>
    </message>
</context>
<context>
    <name>TaskMatcher</name>
    <message>
        <source>%1, at character %2 of the expression</source>
        <translation>%1 (正規表現の %2 文字目)</translation>
    </message>
</context>
<context>
    <name>TopologyCells</name>
    <message>
        <source>Expected %1, e.g. %2.</source>
        <translation>%1を入力してください (例: %2)。</translation>
    </message>
    <message>
        <source>Expected continue, restart or stop.</source>
        <translation>continue、restart、stop のいずれかを入力してください。</translation>
    </message>
    <message>
        <source>Expected true or false.</source>
        <translation>true または false を入力してください。</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>あり</translation>
    </message>
    <message>
        <source>no</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>one a host</source>
        <translation>ホストごとに 1</translation>
    </message>
    <message>
        <source>what others leave</source>
        <translation>ほかが使わない分</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1。%2</translation>
    </message>
    <message>
        <source>Heartbeat</source>
        <translation>ハートビート</translation>
    </message>
    <message>
        <source>Suspect after</source>
        <translation>疑わしいとするまで</translation>
    </message>
    <message>
        <source>Lost after</source>
        <translation>喪失とするまで</translation>
    </message>
    <message>
        <source>When a subcluster is down</source>
        <translation>サブクラスターが停止したとき</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名前</translation>
    </message>
    <message>
        <source>Active</source>
        <translation>稼働</translation>
    </message>
    <message>
        <source>Standby</source>
        <translation>待機</translation>
    </message>
    <message>
        <source>I/O</source>
        <translation>I/O</translation>
    </message>
    <message>
        <source>Minimum</source>
        <translation>下限</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>ホスト</translation>
    </message>
    <message>
        <source>Units</source>
        <translation>ユニット</translation>
    </message>
    <message>
        <source>Restarts</source>
        <translation>交代回数</translation>
    </message>
    <message>
        <source>Within</source>
        <translation>期間</translation>
    </message>
    <message>
        <source>Dedicated master</source>
        <translation>専任マスター</translation>
    </message>
    <message>
        <source>Every processor says so often that it lives.</source>
        <translation>各プロセッサはこの間隔で生存を知らせます。</translation>
    </message>
    <message>
        <source>After so many heartbeats of silence a processor gets nothing new.</source>
        <translation>この回数だけハートビートが途絶えたプロセッサには、新しい仕事を渡しません。</translation>
    </message>
    <message>
        <source>After so many heartbeats of silence a processor is killed and replaced.</source>
        <translation>この回数だけハートビートが途絶えたプロセッサは強制終了され、交代します。</translation>
    </message>
    <message>
        <source>What becomes of the other subclusters when one of them has fewer ranks than its minimum.</source>
        <translation>あるサブクラスターのランクが下限を割ったとき、ほかのサブクラスターをどうするかです。</translation>
    </message>
    <message>
        <source>What people call the subcluster; no two have the same name</source>
        <translation>サブクラスターの呼び名です。同じ名前は使えません</translation>
    </message>
    <message>
        <source>Processors that hold a rank</source>
        <translation>ランクを受け持つプロセッサの数</translation>
    </message>
    <message>
        <source>Processors that take over the rank of a lost one</source>
        <translation>失われたプロセッサのランクを引き継ぐプロセッサの数</translation>
    </message>
    <message>
        <source>Processors that pass data in and out</source>
        <translation>データを受け渡しするプロセッサの数</translation>
    </message>
    <message>
        <source>With fewer ranks held the subcluster is down; 0: never</source>
        <translation>受け持たれたランクがこれより少ないとサブクラスターは停止します。0 なら停止しません</translation>
    </message>
    <message>
        <source>Whose processors it takes, with commas between them; empty: what the other subclusters leave</source>
        <translation>プロセッサを使うホスト。コンマで区切ります。空なら、ほかのサブクラスターが使わない分です</translation>
    </message>
    <message>
        <source>How many units its processors on each host make; empty: one</source>
        <translation>ホストごとのプロセッサをいくつのユニットに分けるか。空なら 1 です</translation>
    </message>
    <message>
        <source>So many takeovers are allowed in the time of the next column; after more of them ranks are given up</source>
        <translation>次の列の期間に許す交代の回数です。超えるとランクをあきらめます</translation>
    </message>
    <message>
        <source>The time in which takeovers are counted</source>
        <translation>交代の回数を数える期間</translation>
    </message>
    <message>
        <source>One more processor does nothing but being cluster master</source>
        <translation>クラスターマスターだけを務めるプロセッサを 1 つ加えます</translation>
    </message>
    <message>
        <source>continue: the others go on</source>
        <translation>continue: ほかは続ける</translation>
    </message>
    <message>
        <source>restart: the others start again</source>
        <translation>restart: 実行を起動し直して続ける</translation>
    </message>
    <message>
        <source>stop: the run ends</source>
        <translation>stop: 実行を終える</translation>
    </message>
    <message>
        <source>master</source>
        <translation>マスター</translation>
    </message>
    <message>
        <source>active</source>
        <translation>稼働</translation>
    </message>
    <message>
        <source>standby</source>
        <translation>待機</translation>
    </message>
    <message>
        <source>Come back</source>
        <translation>復帰</translation>
    </message>
    <message>
        <source>Who hears of nobody for too long kills its tasks. Within a minute it may come back, as a standby; else it ends.</source>
        <translation>長い間どこからも応答を得られないプロセッサは、自分のタスクを強制終了します。1 分以内であれば待機プロセッサとして復帰でき、そうでなければ終了します。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>subcluster, setting</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>tasks</source>
        <translation>タスク</translation>
    </message>
    <message>
        <source>World</source>
        <translation>ワールド</translation>
    </message>
    <message>
        <source>Deadline</source>
        <translation>期限</translation>
    </message>
    <message>
        <source>The MPI program that runs as its ranks, as the shell is to start it; empty: its ranks run tasks</source>
        <translation>このサブクラスタのランクとして動く MPI プログラム (シェルで起動する書き方)。空ならランクはタスクを実行します</translation>
    </message>
    <message>
        <source>After so long the program is killed</source>
        <translation>この時間が過ぎるとプログラムを終了させます</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>記録量</translation>
    </message>
    <message>
        <source>So much of each rank&apos;s messages is kept, so that another processor can go on in its place</source>
        <translation>各ランクのメッセージをこの量まで保存し、他のプロセッサが代わりに続行できるようにします</translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message>
        <source>signal %1 (SIG%2)</source>
        <translation>シグナル %1 (SIG%2)</translation>
    </message>
    <message>
        <source>signal %1</source>
        <translation>シグナル %1</translation>
    </message>
    <message>
        <source>queued</source>
        <translation>待機中</translation>
    </message>
    <message>
        <source>running</source>
        <translation>実行中</translation>
    </message>
    <message>
        <source>succeeded</source>
        <translation>成功</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失敗</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>スキップ</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>削除済み</translation>
    </message>
    <message>
        <source>held</source>
        <translation>保留中</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>取り消し</translation>
    </message>
    <message>
        <source>exit 0</source>
        <translation>終了 0</translation>
    </message>
    <message>
        <source>exit %1</source>
        <translation>終了 %1</translation>
    </message>
    <message>
        <source>timed out</source>
        <translation>時間切れ</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>中断</translation>
    </message>
    <message>
        <source>processor lost</source>
        <translation>プロセッサ喪失</translation>
    </message>
    <message>
        <source>lost: %1</source>
        <translation>喪失: %1</translation>
    </message>
    <message>
        <source>not started: %1</source>
        <translation>開始できず: %1</translation>
    </message>
    <message>
        <source>its process ended</source>
        <translation>プロセスが終了</translation>
    </message>
    <message>
        <source>nothing was heard of it</source>
        <translation>応答なし</translation>
    </message>
    <message>
        <source>left</source>
        <translation>離脱</translation>
    </message>
    <message>
        <source>information</source>
        <translation>情報</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>failure</source>
        <translation>障害</translation>
    </message>
    <message>
        <source>not connected</source>
        <translation>未接続</translation>
    </message>
    <message>
        <source>connecting</source>
        <translation>接続中</translation>
    </message>
    <message>
        <source>greeting the agent</source>
        <translation>認証中</translation>
    </message>
    <message>
        <source>catching up</source>
        <translation>追いつき中</translation>
    </message>
    <message>
        <source>live</source>
        <translation>ライブ</translation>
    </message>
    <message>
        <source>connection lost</source>
        <translation>接続断</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>拒否</translation>
    </message>
    <message>
        <source>the agent has ended</source>
        <translation>エージェント終了</translation>
    </message>
    <message>
        <source>run file</source>
        <translation>実行記録</translation>
    </message>
    <message>
        <source>The run has no such task.</source>
        <translation>この実行にそのタスクはありません。</translation>
    </message>
    <message>
        <source>The task has been changed meanwhile.</source>
        <translation>このタスクは編集中に変更されました。</translation>
    </message>
    <message>
        <source>The task has started meanwhile.</source>
        <translation>このタスクは編集中に開始されました。</translation>
    </message>
    <message>
        <source>The task has ended meanwhile.</source>
        <translation>このタスクは編集中に終了しました。</translation>
    </message>
    <message>
        <source>The task has not ended yet.</source>
        <translation>このタスクはまだ終了していません。</translation>
    </message>
    <message>
        <source>The task is not held.</source>
        <translation>このタスクは保留されていません。</translation>
    </message>
    <message>
        <source>The task is no longer in the list.</source>
        <translation>このタスクはもうリストにありません。</translation>
    </message>
    <message>
        <source>-</source>
        <comment>no duration</comment>
        <translation>-</translation>
    </message>
    <message>
        <source>%1 µs</source>
        <translation>%1 µs</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ミリ秒</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 分 %2 秒</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 時間 %2 分</translation>
    </message>
    <message>
        <source>%1 d %2 h</source>
        <translation>%1 日 %2 時間</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1 after an exit</source>
        <translation>終了コードによる失敗後 %1 回</translation>
    </message>
    <message>
        <source>%1 after a signal</source>
        <translation>シグナル後 %1 回</translation>
    </message>
    <message>
        <source>%1 after a timeout</source>
        <translation>時間切れ後 %1 回</translation>
    </message>
    <message>
        <source>%1 after a lost processor</source>
        <translation>プロセッサ喪失後 %1 回</translation>
    </message>
    <message>
        <source>none</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between two words</comment>
        <translation>、</translation>
    </message>
</context>
<context>
    <name>tasuki::AboutDialog</name>
    <message>
        <source>About Tasuki</source>
        <translation>Tasuki について</translation>
    </message>
    <message>
        <source>Runs, watches and plans work on a cluster of clusters. A tasuki is the sash that relay runners hand on: when one stops, the next takes the same sash, and the race goes on.</source>
        <translation>クラスタのクラスタで作業を実行し、見守り、計画します。襷(たすき)は駅伝の走者が受け渡す帯です。一人が止まっても次の走者が同じ襷を受け取り、レースは続きます。</translation>
    </message>
    <message>
        <source>This program is free software: you can use, change and pass it on under the terms of the GNU General Public License, version 3 or later. It comes without any warranty.</source>
        <translation>このプログラムはフリーソフトウェアです。GNU 一般公衆ライセンス (GPL) バージョン 3 またはそれ以降の条件の下で、利用、変更、再配布ができます。無保証です。</translation>
    </message>
</context>
<context>
    <name>tasuki::AcknowledgeDialog</name>
    <message>
        <source>Acknowledge alarms</source>
        <translation>アラームの確認</translation>
    </message>
    <message numerus="yes">
        <source>You have seen %n alarm(s) and say so to all:</source>
        <translation>
            <numerusform>次の %n 件のアラームを確認したことを全員に知らせます:</numerusform>
        </translation>
    </message>
    <message>
        <source>Alarms that are acknowledged</source>
        <translation>確認するアラーム</translation>
    </message>
    <message>
        <source>By</source>
        <translation>確認者</translation>
    </message>
    <message>
        <source>What is being done about it</source>
        <translation>どう対処しているか</translation>
    </message>
    <message>
        <source>&amp;Comment</source>
        <translation>コメント(&amp;C)</translation>
    </message>
    <message>
        <source>For good</source>
        <translation>無期限</translation>
    </message>
    <message>
        <source>For 1 hour</source>
        <translation>1 時間</translation>
    </message>
    <message>
        <source>For 8 hours</source>
        <translation>8 時間</translation>
    </message>
    <message>
        <source>Until a time</source>
        <translation>日時を指定</translation>
    </message>
    <message>
        <source>&amp;Holds</source>
        <translation>有効期間(&amp;H)</translation>
    </message>
    <message>
        <source>Time until which it holds</source>
        <translation>有効期限の日時</translation>
    </message>
    <message>
        <source>&amp;Until</source>
        <translation>期限(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Acknowledge</source>
        <translation>確認(&amp;A)</translation>
    </message>
    <message>
        <source>That time has passed: choose a later one.</source>
        <translation>その日時は過ぎています。あとの日時を選んでください。</translation>
    </message>
</context>
<context>
    <name>tasuki::AddTasksDialog</name>
    <message>
        <source>new tasks</source>
        <translation>新しいタスク</translation>
    </message>
    <message>
        <source>Add tasks</source>
        <translation>タスクを追加</translation>
    </message>
    <message>
        <source>Task list</source>
        <translation>タスクリスト</translation>
    </message>
    <message>
        <source>Line:column</source>
        <translation>行:桁</translation>
    </message>
    <message>
        <source>What is wrong</source>
        <translation>問題点</translation>
    </message>
    <message>
        <source>What is wrong with the list</source>
        <translation>リストの問題点</translation>
    </message>
    <message>
        <source>&amp;Add</source>
        <translation>追加(&amp;A)</translation>
    </message>
    <message>
        <source>One command a line. Directives (#TASUKI ...) hold for what follows; labels of the run may be named by after=.</source>
        <translation>1 行に 1 コマンドです。指示 (#TASUKI …) は以降の行に効きます。実行のラベルを after= で参照できます。</translation>
    </message>
    <message>
        <source>From a &amp;file...</source>
        <translation>ファイルから(&amp;F)…</translation>
    </message>
    <message>
        <source>Open a task list</source>
        <translation>タスクリストを開く</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2</source>
        <translation>%1 を読めません: %2</translation>
    </message>
    <message>
        <source>%1 has bytes that are not UTF-8 and would be changed here; give it to tasuki-agent farm instead.</source>
        <translation>%1 には UTF-8 でないバイトがあり、ここで開くと内容が変わってしまいます。tasuki-agent farm に直接渡してください。</translation>
    </message>
    <message numerus="yes">
        <source>%n error(s): mend them before the tasks can be added.</source>
        <translation>
            <numerusform>エラーが %n 件あります。直すとタスクを追加できます。</numerusform>
        </translation>
    </message>
    <message>
        <source>There is no command yet.</source>
        <translation>コマンドがまだありません。</translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) will be added.</source>
        <translation>
            <numerusform>%n 件のタスクを追加します。</numerusform>
        </translation>
    </message>
    <message>
        <source>The agent cannot take commands now.</source>
        <translation>エージェントは今、操作を受け付けません。</translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) added.</source>
        <translation>
            <numerusform>%n 件のタスクを追加しました。</numerusform>
        </translation>
    </message>
    <message>
        <source>The agent refused the tasks: %1</source>
        <translation>エージェントがタスクを拒否しました: %1</translation>
    </message>
    <message>
        <source>The agent gave no answer: %1</source>
        <translation>エージェントから応答がありません: %1</translation>
    </message>
</context>
<context>
    <name>tasuki::AgentLauncher</name>
    <message>
        <source>%1 cannot be started: %2</source>
        <translation>%1 を起動できません: %2</translation>
    </message>
    <message>
        <source>The run could not be started.</source>
        <translation>実行を開始できませんでした。</translation>
    </message>
    <message>
        <source>No agent has appeared within %1 s; it may still come.</source>
        <translation>%1 秒待ちましたが、エージェントが現れません。この後で現れることもあります。</translation>
    </message>
    <message>
        <source>Nothing was measured.</source>
        <translation>何も測定されませんでした。</translation>
    </message>
</context>
<context>
    <name>tasuki::AgentSource</name>
    <message>
        <source>%1 on %2</source>
        <translation>%1 (%2)</translation>
    </message>
</context>
<context>
    <name>tasuki::AgentConnection</name>
    <message>
        <source>the agent does not answer</source>
        <translation>エージェントが応答しません</translation>
    </message>
    <message>
        <source>the agent said what makes no sense: %1</source>
        <translation>エージェントの応答を解釈できません: %1</translation>
    </message>
    <message>
        <source>it greets a second time</source>
        <translation>二度目の挨拶を受け取りました</translation>
    </message>
    <message>
        <source>nothing was heard of the agent</source>
        <translation>エージェントから何も届きません</translation>
    </message>
</context>
<context>
    <name>tasuki::AgentWorker</name>
    <message>
        <source>a snapshot begins at another event than was asked for</source>
        <translation>スナップショットの先頭のイベントが要求と異なります</translation>
    </message>
    <message>
        <source>a snapshot ends at another event than was said</source>
        <translation>スナップショットの末尾のイベントが予告と異なります</translation>
    </message>
    <message>
        <source>events are missing</source>
        <translation>イベントが欠けています</translation>
    </message>
    <message>
        <source>there is no such task</source>
        <translation>そのタスクはありません</translation>
    </message>
    <message>
        <source>the run was closed</source>
        <translation>実行は閉じられました</translation>
    </message>
    <message>
        <source>the agent does not run any more</source>
        <translation>エージェントはもう動いていません</translation>
    </message>
    <message>
        <source>the connection ended before the answer: %1</source>
        <translation>応答の前に接続が切れました: %1</translation>
    </message>
    <message>
        <source>there is no connection to the agent</source>
        <translation>エージェントに接続していません</translation>
    </message>
    <message>
        <source>the agent is of an older version, which cannot do this</source>
        <translation>エージェントのバージョンが古く、この操作に対応していません</translation>
    </message>
    <message>
        <source>the connection ended before the answer, so it is not known whether this was done: %1</source>
        <translation>応答の前に接続が切れたため、実行されたかどうかは分かりません: %1</translation>
    </message>
    <message>
        <source>the master is lost: waiting for its successor</source>
        <translation>マスターが失われました: 後継を待っています</translation>
    </message>
</context>
<context>
    <name>tasuki::AlarmListModel</name>
    <message>
        <source>alarm %1</source>
        <translation>アラーム %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>where, what</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状態</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>時刻</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>重要度</translation>
    </message>
    <message>
        <source>What</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>場所</translation>
    </message>
    <message>
        <source>Acknowledged by</source>
        <translation>確認者</translation>
    </message>
    <message>
        <source>Comment</source>
        <translation>コメント</translation>
    </message>
    <message>
        <source>Until</source>
        <translation>期限</translation>
    </message>
    <message>
        <source>open</source>
        <comment>state of an alarm</comment>
        <translation>未確認</translation>
    </message>
    <message>
        <source>open again</source>
        <comment>state of an alarm</comment>
        <translation>再び未確認</translation>
    </message>
    <message>
        <source>acknowledged</source>
        <comment>state of an alarm</comment>
        <translation>確認済み</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>what, why</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>processor fenced</source>
        <translation>プロセッサ隔離</translation>
    </message>
    <message>
        <source>processor lost</source>
        <translation>プロセッサ喪失</translation>
    </message>
    <message>
        <source>seat given up: too many takeovers</source>
        <translation>席を放棄: 引き継ぎが多すぎます</translation>
    </message>
    <message>
        <source>seat vacant: no standby was left</source>
        <translation>空席: 待機プロセッサがありません</translation>
    </message>
    <message>
        <source>subcluster down</source>
        <translation>サブクラスター停止</translation>
    </message>
    <message>
        <source>subcluster %1</source>
        <translation>サブクラスター %1</translation>
    </message>
    <message>
        <source>run</source>
        <translation>実行</translation>
    </message>
    <message>
        <source>for good</source>
        <translation>無期限</translation>
    </message>
</context>
<context>
    <name>tasuki::AlarmPanel</name>
    <message>
        <source>%1 (by %2)</source>
        <comment>alarm, who</comment>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>%1 (by %2: %3)</source>
        <comment>alarm, who, comment</comment>
        <translation>%1 (%2: %3)</translation>
    </message>
    <message>
        <source>Ac&amp;knowledge...</source>
        <translation>確認(&amp;K)…</translation>
    </message>
    <message>
        <source>Ctrl+K</source>
        <translation>Ctrl+K</translation>
    </message>
    <message>
        <source>Alarms</source>
        <translation>アラーム</translation>
    </message>
    <message>
        <source>This is a run file: alarms are acknowledged in a window on the running agent.</source>
        <translation>これは実行記録です。アラームの確認は、動作中のエージェントに接続したウィンドウで行います。</translation>
    </message>
    <message>
        <source>Without a connection to the agent nothing can be acknowledged.</source>
        <translation>エージェントに接続していないため、確認できません。</translation>
    </message>
    <message>
        <source>All are acknowledged.</source>
        <translation>すべて確認済みです。</translation>
    </message>
    <message numerus="yes">
        <source>%n open alarm(s).</source>
        <translation>
            <numerusform>未確認 %n 件。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>count, why nothing can be done</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Some were acknowledged before: what you say now stands in place of that.</source>
        <translation>すでに確認済みのものがあります。今回の内容で置き換えます。</translation>
    </message>
    <message>
        <source>Acknowledge alarms</source>
        <translation>アラームの確認</translation>
    </message>
    <message>
        <source>Export the alarms</source>
        <translation>アラームの書き出し</translation>
    </message>
    <message>
        <source>Loading...</source>
        <translation>読み込んでいます…</translation>
    </message>
    <message>
        <source>There is no alarm: no processor, seat or subcluster was lost.</source>
        <translation>アラームはありません。プロセッサ、席、サブクラスターは失われていません。</translation>
    </message>
    <message>
        <source>Show on the time&amp;line</source>
        <translation>タイムラインに表示(&amp;L)</translation>
    </message>
</context>
<context>
    <name>tasuki::AllocationChart</name>
    <message>
        <source>Runtime of each allocation</source>
        <translation>割り当てごとの実行時間</translation>
    </message>
    <message>
        <source>Which allocations the chart shows</source>
        <translation>グラフに表示する割り当ての範囲</translation>
    </message>
</context>
<context>
    <name>tasuki::AllocationList</name>
    <message>
        <source>Place by predicted time, from 1, the best</source>
        <translation>予測時間の順位 (1 が最良)</translation>
    </message>
    <message>
        <source>On which node each task runs, in the order of the tasks</source>
        <translation>各タスクを実行するノード (タスクの順)</translation>
    </message>
    <message>
        <source>Predicted time over the best predicted time</source>
        <translation>予測時間 ÷ 最良の予測時間</translation>
    </message>
    <message>
        <source>(Predicted − measured) / measured</source>
        <translation>(予測 − 実測) / 実測</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>順位</translation>
    </message>
    <message>
        <source>Nodes of the tasks</source>
        <translation>タスクのノード</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>予測</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>実測</translation>
    </message>
    <message>
        <source>Time / best</source>
        <translation>最良との比</translation>
    </message>
    <message>
        <source>Prediction error</source>
        <translation>予測誤差</translation>
    </message>
</context>
<context>
    <name>tasuki::AllocationPanel</name>
    <message>
        <source>PNG images (*.png)</source>
        <translation>PNG 画像 (*.png)</translation>
    </message>
    <message>
        <source>SVG drawings (*.svg)</source>
        <translation>SVG 図 (*.svg)</translation>
    </message>
    <message>
        <source>PDF documents (*.pdf)</source>
        <translation>PDF 文書 (*.pdf)</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>カンマ区切り (*.csv)</translation>
    </message>
    <message>
        <source>Export the table of allocations</source>
        <translation>割り当ての表を書き出す</translation>
    </message>
    <message>
        <source>Export the chart of allocations</source>
        <translation>割り当てのグラフを書き出す</translation>
    </message>
    <message>
        <source>Search to see how long each allocation would take.</source>
        <translation>探索すると、割り当てごとの予測実行時間が表示されます。</translation>
    </message>
    <message>
        <source>Order of the allocations</source>
        <translation>割り当ての並び順</translation>
    </message>
    <message>
        <source>By predicted time</source>
        <translation>予測時間順</translation>
    </message>
    <message>
        <source>By nodes</source>
        <translation>ノード順</translation>
    </message>
    <message>
        <source>&amp;Order:</source>
        <translation>並び順(&amp;O):</translation>
    </message>
    <message>
        <source>Measurements...</source>
        <translation>実測値...</translation>
    </message>
    <message>
        <source>Show measured runtimes beside the predicted ones</source>
        <translation>予測の隣に実測の実行時間を表示します</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>書き出し</translation>
    </message>
    <message>
        <source>Write the chart or the table into a file</source>
        <translation>グラフまたは表をファイルに書き出します</translation>
    </message>
    <message>
        <source>Chart as PNG...</source>
        <translation>グラフを PNG で...</translation>
    </message>
    <message>
        <source>Chart as SVG...</source>
        <translation>グラフを SVG で...</translation>
    </message>
    <message>
        <source>Chart as PDF...</source>
        <translation>グラフを PDF で...</translation>
    </message>
    <message>
        <source>Table as CSV...</source>
        <translation>表を CSV で...</translation>
    </message>
    <message>
        <source>By measured time</source>
        <translation>実測時間順</translation>
    </message>
    <message>
        <source>The chart could not be drawn: there is too little memory.</source>
        <translation>メモリーが足りないため、グラフを描画できませんでした。</translation>
    </message>
    <message>
        <source>The table of allocations is in %1.</source>
        <translation>割り当ての表を %1 に書き出しました。</translation>
    </message>
    <message>
        <source>The chart of allocations is in %1.</source>
        <translation>割り当てのグラフを %1 に書き出しました。</translation>
    </message>
</context>
<context>
    <name>tasuki::AllocationPicture</name>
    <message>
        <source>Runtime of each allocation</source>
        <translation>割り当てごとの実行時間</translation>
    </message>
    <message>
        <source>Task %1</source>
        <translation>タスク %1</translation>
    </message>
    <message>
        <source>Runtime (%1)</source>
        <translation>実行時間 (%1)</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>予測</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>実測</translation>
    </message>
    <message>
        <source>Predicted best so far</source>
        <translation>予測のここまでの最良</translation>
    </message>
    <message>
        <source>Predicted best</source>
        <translation>予測の最良</translation>
    </message>
    <message>
        <source>Measured best</source>
        <translation>実測の最良</translation>
    </message>
    <message>
        <source>Predicted worst</source>
        <translation>予測の最悪</translation>
    </message>
    <message>
        <source>%1 to %2 of %3 shown; scroll for the others.</source>
        <translation>%3 件中 %1～%2 件目を表示しています。残りはスクロールで表示できます。</translation>
    </message>
    <message>
        <source>%1 slower ones are left out.</source>
        <translation>これより遅い %1 件は省略しています。</translation>
    </message>
</context>
<context>
    <name>tasuki::AllocationTable</name>
    <message>
        <source>Allocations</source>
        <translation>割り当て</translation>
    </message>
</context>
<context>
    <name>tasuki::AllocationText</name>
    <message>
        <source>%1 allocations.</source>
        <translation>割り当て %1 件。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln allocation(s).</source>
        <translation>
            <numerusform>割り当て %Ln 件。</numerusform>
        </translation>
    </message>
    <message>
        <source>Best %1, worst %2: spread (worst − best) / best = %3.</source>
        <translation>最良 %1、最悪 %2、差 (最悪 − 最良) / 最良 = %3。</translation>
    </message>
    <message>
        <source>Placement does not matter here: take any.</source>
        <translation>どの割り当てでも実行時間はほぼ変わりません。</translation>
    </message>
    <message>
        <source>Error of the choice a = %1.</source>
        <translation>選択の誤差 a = %1。</translation>
    </message>
    <message numerus="yes">
        <source>Mean prediction error %1 over %Ln measured allocation(s).</source>
        <translation>
            <numerusform>実測した %Ln 件の平均予測誤差 %1。</numerusform>
        </translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未測定</translation>
    </message>
    <message>
        <source>%1 (%2 to %3)</source>
        <translation>%1 (%2～%3)</translation>
    </message>
    <message>
        <source>Task %1</source>
        <translation>タスク %1</translation>
    </message>
    <message numerus="yes">
        <source>and %n more task(s)</source>
        <translation>
            <numerusform>ほか %n タスク</numerusform>
        </translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>予測</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>実測</translation>
    </message>
    <message>
        <source>Prediction error</source>
        <translation>予測誤差</translation>
    </message>
    <message>
        <source>Time / best</source>
        <translation>最良との比</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>順位</translation>
    </message>
    <message>
        <source>Place %1: nodes %2; predicted %3, %4 times the best</source>
        <translation>順位 %1: ノード %2、予測 %3、最良の %4 倍</translation>
    </message>
    <message>
        <source>; measured %1</source>
        <translation>、実測 %1</translation>
    </message>
    <message>
        <source>more than 10^18</source>
        <translation>10^18 超</translation>
    </message>
    <message>
        <source>about 10^%1</source>
        <translation>約 10^%1</translation>
    </message>
    <message>
        <source>Not all were tried: best so far of %1 of %2. It takes %3.</source>
        <translation>すべては試していません: %2 件中 %1 件でのここまでの最良は %3 です。</translation>
    </message>
</context>
<context>
    <name>tasuki::AttemptText</name>
    <message>
        <source>running</source>
        <translation>実行中</translation>
    </message>
    <message>
        <source>succeeded</source>
        <translation>成功</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失敗</translation>
    </message>
    <message>
        <source>ended by a signal</source>
        <translation>シグナルで終了</translation>
    </message>
    <message>
        <source>timed out</source>
        <translation>時間切れ</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>取り消し</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>中断</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>喪失</translation>
    </message>
    <message>
        <source>could not be started</source>
        <translation>開始できず</translation>
    </message>
    <message>
        <source>%1 µs</source>
        <translation>%1 µs</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ミリ秒</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 分 %2 秒</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 時間 %2 分</translation>
    </message>
    <message>
        <source>%1 d %2 h</source>
        <translation>%1 日 %2 時間</translation>
    </message>
    <message>
        <source>&lt;b&gt;Task %1&lt;/b&gt;, attempt %2: %3</source>
        <translation>&lt;b&gt;タスク %1&lt;/b&gt;、試行 %2: %3</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 から %2</translation>
    </message>
    <message>
        <source>since %1</source>
        <translation>%1 から</translation>
    </message>
    <message>
        <source>Run time %1</source>
        <translation>実行時間 %1</translation>
    </message>
    <message>
        <source>Until %1 it did again what the attempt before it had done (hatched)</source>
        <translation>%1 まで、前の試行が済ませた分を再実行しました（斜線）</translation>
    </message>
    <message>
        <source>It does again what the attempt before it had done (hatched)</source>
        <translation>前の試行が済ませた分を再実行しています（斜線）</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>ランク %1</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>subcluster and rank</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1, slot %2, %3</source>
        <translation>%1、スロット %2、%3</translation>
    </message>
    <message numerus="yes">
        <source>&lt;b&gt;%n attempts here&lt;/b&gt;</source>
        <translation>
            <numerusform>&lt;b&gt;ここに %n 件の試行&lt;/b&gt;</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n did not succeed</source>
        <translation>
            <numerusform>%n 件が不成功</numerusform>
        </translation>
    </message>
    <message>
        <source>Zoom in to tell them apart</source>
        <translation>拡大すると見分けられます</translation>
    </message>
</context>
<context>
    <name>tasuki::AxisPainter</name>
    <message>
        <source>d MMM</source>
        <comment>a day on the time axis</comment>
        <translation>M月d日</translation>
    </message>
    <message>
        <source>Time since the start</source>
        <translation>開始からの時間</translation>
    </message>
    <message>
        <source>yyyy</source>
        <comment>a year on the time axis</comment>
        <translation>yyyy年</translation>
    </message>
    <message>
        <source>ddd d MMM yyyy</source>
        <comment>a date on the time axis</comment>
        <translation>yyyy年M月d日 (ddd)</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ミリ秒</translation>
    </message>
    <message>
        <source>%1 µs</source>
        <translation>%1 µs</translation>
    </message>
</context>
<context>
    <name>tasuki::CellTableModel</name>
    <message>
        <source>There is nothing to paste.</source>
        <translation>貼り付けるものがありません。</translation>
    </message>
    <message numerus="yes">
        <source>Nothing was pasted: there are %n row(s), but fewer from this cell on.</source>
        <translation>
            <numerusform>貼り付けませんでした: %n 行ありますが、このセルから下の行が足りません。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Nothing was pasted: there are %n column(s), but fewer from this cell on.</source>
        <translation>
            <numerusform>貼り付けませんでした: %n 列ありますが、このセルから右の列が足りません。</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing was pasted. %1, &quot;%2&quot;: %3</source>
        <translation>貼り付けませんでした。%1「%2」: %3</translation>
    </message>
</context>
<context>
    <name>tasuki::CellTableView</name>
    <message>
        <source>&amp;Edit</source>
        <translation>編集(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>コピー(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>貼り付け(&amp;P)</translation>
    </message>
</context>
<context>
    <name>tasuki::CommandReport</name>
    <message>
        <source>%1: the agent gave no answer: %2</source>
        <translation>%1: エージェントから応答がありません: %2</translation>
    </message>
    <message>
        <source>Task %1: %2</source>
        <translation>タスク %1: %2</translation>
    </message>
    <message>
        <source>%1: refused. %2</source>
        <translation>%1: 拒否されました。%2</translation>
    </message>
    <message>
        <source>%1: done for %2 of %3 tasks; these stay as they are:</source>
        <translation>%1: %3 件中 %2 件に行いました。次のタスクは元のままです:</translation>
    </message>
    <message numerus="yes">
        <source>%1: done for %n task(s).</source>
        <translation>
            <numerusform>%1: %n 件のタスクに行いました。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: done.</source>
        <translation>%1: 行いました。</translation>
    </message>
    <message numerus="yes">
        <source>%1: done for %n alarm(s).</source>
        <translation>
            <numerusform>%1: %n 件のアラームに対して行いました。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: done for %2 of %3 alarms; others have acknowledged these meanwhile:</source>
        <translation>%1: %3 件中 %2 件のアラームに対して行いました。次のものは、その間にほかの人が確認しました:</translation>
    </message>
    <message>
        <source>%1: not done. Others have acknowledged these meanwhile:</source>
        <translation>%1: 行いませんでした。次のものは、その間にほかの人が確認しました:</translation>
    </message>
    <message>
        <source>What was left, and why</source>
        <translation>行わなかったものと理由</translation>
    </message>
</context>
<context>
    <name>tasuki::ConflictDialog</name>
    <message>
        <source>Resolve conflicts</source>
        <translation>競合の解決</translation>
    </message>
    <message>
        <source>These tasks were changed, or went on, while you edited them. Nothing is overwritten without you: decide for each one what shall stand.</source>
        <translation>これらのタスクは、編集している間に変更されたか、先に進みました。勝手に上書きはしません。どちらを残すか、タスクごとに決めてください。</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>タスク</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>理由</translation>
    </message>
    <message>
        <source>Conflicting tasks</source>
        <translation>競合しているタスク</translation>
    </message>
    <message>
        <source>Mine</source>
        <translation>自分の編集</translation>
    </message>
    <message>
        <source>In the record</source>
        <translation>記録の内容</translation>
    </message>
    <message>
        <source>Mine and what is in the record, side by side</source>
        <translation>自分の編集と記録の内容の比較</translation>
    </message>
    <message>
        <source>Keep &amp;mine</source>
        <translation>自分の編集を残す(&amp;M)</translation>
    </message>
    <message>
        <source>Take the &amp;record&apos;s</source>
        <translation>記録の内容にする(&amp;R)</translation>
    </message>
    <message>
        <source>Take the record&apos;s for &amp;all</source>
        <translation>すべて記録の内容にする(&amp;A)</translation>
    </message>
    <message>
        <source>(empty)</source>
        <translation>(空)</translation>
    </message>
    <message>
        <source>Kept changes are sent with the next &quot;Send changes&quot;.</source>
        <translation>残した編集は、次の「変更を送信」で送られます。</translation>
    </message>
    <message>
        <source>This task is %1 and can no longer be edited: only the record&apos;s version can stand.</source>
        <translation>このタスクは「%1」の状態で、もう編集できません。記録の内容だけを選べます。</translation>
    </message>
</context>
<context>
    <name>tasuki::ConflictList</name>
    <message>
        <source>Take all theirs</source>
        <translation>すべて相手の値にする</translation>
    </message>
    <message>
        <source>All of these values become what others have made of them; Undo brings yours back</source>
        <translation>ここにある値をすべて、ほかの人が変更した値にします。「元に戻す」で自分の値に戻れます</translation>
    </message>
    <message numerus="yes">
        <source>Others have changed %n value(s) that you edit. Nothing is overwritten without you: decide what shall stand.</source>
        <translation>
            <numerusform>編集中の値のうち %n 個を、ほかの人が変更しました。断りなく上書きはしません。どちらを残すか選んでください。</numerusform>
        </translation>
    </message>
    <message>
        <source>the system runs with %1</source>
        <translation>動作中の値: %1</translation>
    </message>
    <message>
        <source>mine is %1</source>
        <translation>自分の値: %1</translation>
    </message>
    <message>
        <source>Keep mine</source>
        <translation>自分の値にする</translation>
    </message>
    <message>
        <source>It stays as you have edited it, and is sent with the next change</source>
        <translation>編集した値のままにし、次の適用で送ります</translation>
    </message>
    <message>
        <source>Take theirs</source>
        <translation>相手の値にする</translation>
    </message>
    <message>
        <source>It becomes what others have made of it; Undo brings yours back</source>
        <translation>ほかの人が変更した値にします。「元に戻す」で自分の値に戻れます</translation>
    </message>
</context>
<context>
    <name>tasuki::ConnectionBanner</name>
    <message>
        <source>Res&amp;ume...</source>
        <translation>再開(&amp;U)...</translation>
    </message>
    <message>
        <source>Re&amp;try...</source>
        <translation>再試行(&amp;T)...</translation>
    </message>
    <message>
        <source>State of the connection</source>
        <translation>接続の状態</translation>
    </message>
    <message>
        <source>Loaded</source>
        <translation>読み込み済み</translation>
    </message>
    <message>
        <source>Try &amp;now</source>
        <translation>今すぐ再接続(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Read again</source>
        <translation>読み直す(&amp;R)</translation>
    </message>
    <message>
        <source>Open the &amp;run file</source>
        <translation>実行記録を開く(&amp;R)</translation>
    </message>
</context>
<context>
    <name>tasuki::DetailsPanel</name>
    <message>
        <source>Nothing is selected.

Select a task in the timeline, in the task table or among the events to see all about it.</source>
        <translation>何も選択されていません。

タイムライン、タスク表、またはイベントでタスクを選ぶと、詳細が表示されます。</translation>
    </message>
    <message>
        <source>Copy the command</source>
        <translation>コマンドをコピー</translation>
    </message>
    <message>
        <source>Command of the task</source>
        <translation>タスクのコマンド</translation>
    </message>
    <message>
        <source>Attempt</source>
        <translation>試行</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>結果</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>ランク</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>ホスト</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>開始</translation>
    </message>
    <message>
        <source>Run time</source>
        <translation>実行時間</translation>
    </message>
    <message>
        <source>CPU time</source>
        <translation>CPU 時間</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>メモリ</translation>
    </message>
    <message>
        <source>Attempts of the task</source>
        <translation>タスクの試行</translation>
    </message>
    <message>
        <source>Task %1</source>
        <translation>タスク %1</translation>
    </message>
    <message>
        <source>The rest of this long command is being fetched.</source>
        <translation>長いコマンドの残りを取得しています。</translation>
    </message>
    <message>
        <source>Last result</source>
        <translation>最後の結果</translation>
    </message>
    <message>
        <source>Retries</source>
        <translation>再試行</translation>
    </message>
    <message>
        <source>Time limit</source>
        <translation>制限時間</translation>
    </message>
    <message>
        <source>none</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>Directory</source>
        <translation>ディレクトリ</translation>
    </message>
    <message>
        <source>that of the run</source>
        <translation>実行のディレクトリ</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>環境変数</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>ラベル</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>ほか %1 件</translation>
    </message>
    <message>
        <source>After tasks</source>
        <translation>先行タスク</translation>
    </message>
    <message>
        <source>line %1 of the list</source>
        <translation>リストの %1 行目</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>段階 %1</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>unknown: the run was cut off</source>
        <translation>不明: 実行が途絶えました</translation>
    </message>
    <message>
        <source>%1 user, %2 system</source>
        <translation>ユーザー %1、システム %2</translation>
    </message>
</context>
<context>
    <name>tasuki::DiffView</name>
    <message numerus="yes">
        <source>  ... %n line(s) stay</source>
        <translation>
            <numerusform>  … 変わらない %n 行</numerusform>
        </translation>
    </message>
    <message>
        <source>Lines that change</source>
        <translation>変わる行</translation>
    </message>
</context>
<context>
    <name>tasuki::EditBar</name>
    <message>
        <source>&amp;Undo</source>
        <translation>元に戻す(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>やり直す(&amp;R)</translation>
    </message>
    <message>
        <source>Ctrl+Shift+Z</source>
        <translation>Ctrl+Shift+Z</translation>
    </message>
    <message>
        <source>&amp;Send changes</source>
        <translation>変更を送信(&amp;S)</translation>
    </message>
    <message>
        <source>Ctrl+Return</source>
        <translation>Ctrl+Return</translation>
    </message>
    <message>
        <source>&amp;Discard changes</source>
        <translation>変更を破棄(&amp;D)</translation>
    </message>
    <message>
        <source>Resolve &amp;conflicts...</source>
        <translation>競合を解決(&amp;C)…</translation>
    </message>
    <message>
        <source>Why the changes cannot be sent</source>
        <translation>変更を送信できない理由</translation>
    </message>
    <message>
        <source>Undo: %1</source>
        <translation>元に戻す: %1</translation>
    </message>
    <message>
        <source>Redo: %1</source>
        <translation>やり直す: %1</translation>
    </message>
    <message numerus="yes">
        <source>%n changed task(s)</source>
        <translation>
            <numerusform>%n 件のタスクを変更</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n changed task(s) on the way</source>
        <translation>
            <numerusform>%n 件の変更を送信中</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) that you edited have changed meanwhile.</source>
        <translation>
            <numerusform>編集中のタスクのうち %n 件が、その間に変更されました。</numerusform>
        </translation>
    </message>
    <message>
        <source>The changes are in the record.</source>
        <translation>変更は記録されました。</translation>
    </message>
</context>
<context>
    <name>tasuki::EditedTopology</name>
    <message>
        <source>There can be %1 subclusters at most.</source>
        <translation>サブクラスターは %1 個までです。</translation>
    </message>
    <message>
        <source>Add a subcluster</source>
        <translation>サブクラスターの追加</translation>
    </message>
    <message numerus="yes">
        <source>Duplicate %n subcluster(s)</source>
        <translation>
            <numerusform>%n 個のサブクラスターの複製</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Remove %n subcluster(s)</source>
        <translation>
            <numerusform>%n 個のサブクラスターの削除</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Move %n subcluster(s) up</source>
        <translation>
            <numerusform>%n 個のサブクラスターを上へ</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Move %n subcluster(s) down</source>
        <translation>
            <numerusform>%n 個のサブクラスターを下へ</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Change %n cell(s)</source>
        <translation>
            <numerusform>%n 個のセルの変更</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 の%1</translation>
    </message>
</context>
<context>
    <name>tasuki::EditorPanel</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Undo: %1 (%2)</source>
        <translation>元に戻す: %1 (%2)</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>元に戻す</translation>
    </message>
    <message>
        <source>Redo: %1 (%2)</source>
        <translation>やり直す: %1 (%2)</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>やり直す</translation>
    </message>
    <message>
        <source>Ctrl+Z</source>
        <translation>Ctrl+Z</translation>
    </message>
    <message>
        <source>Ctrl+Shift+Z</source>
        <translation>Ctrl+Shift+Z</translation>
    </message>
    <message>
        <source>Ctrl+Y</source>
        <translation>Ctrl+Y</translation>
    </message>
</context>
<context>
    <name>tasuki::EnvironmentDocument</name>
    <message>
        <source>There can be %1 nodes at most.</source>
        <translation>ノードは最大 %1 個です。</translation>
    </message>
    <message>
        <source>Two nodes have the name &quot;%1&quot;. Slots says how many tasks a node takes.</source>
        <translation>「%1」という名前のノードが 2 つあります。1 つのノードが受け持つタスク数はスロットで指定します。</translation>
    </message>
    <message numerus="yes">
        <source>Change %n cell(s)</source>
        <translation>
            <numerusform>%n 個のセルの変更</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 の%1</translation>
    </message>
    <message>
        <source>%1 between %2 and %3</source>
        <translation>%2 と %3 の間の %1</translation>
    </message>
    <message>
        <source>%1 from %2 to %3</source>
        <translation>%2 から %3 への %1</translation>
    </message>
    <message numerus="yes">
        <source>Default for %n link(s)</source>
        <translation>
            <numerusform>%n 本のリンクを既定値に戻す</numerusform>
        </translation>
    </message>
    <message>
        <source>there are no nodes</source>
        <translation>ノードがありません</translation>
    </message>
    <message>
        <source>add a node first</source>
        <translation>先にノードを追加してください</translation>
    </message>
    <message>
        <source>Add a node</source>
        <translation>ノードの追加</translation>
    </message>
    <message numerus="yes">
        <source>Duplicate %n node(s)</source>
        <translation>
            <numerusform>%n 個のノードの複製</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Remove %n node(s)</source>
        <translation>
            <numerusform>%n 個のノードの削除</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tasuki::EnvironmentPanel</name>
    <message>
        <source>New environment</source>
        <translation>新しい環境</translation>
    </message>
    <message>
        <source>The environment is being read...</source>
        <translation>環境を読み込んでいます…</translation>
    </message>
    <message>
        <source>No environment yet. Open one, add a node, or measure with tasuki-agent probe.</source>
        <translation>環境がまだありません。ファイルを開くか、ノードを追加するか、tasuki-agent probe で測定してください。</translation>
    </message>
    <message>
        <source>&amp;Nodes (%1)</source>
        <translation>ノード (%1)(&amp;N)</translation>
    </message>
    <message numerus="yes">
        <source>&amp;Links (%n own)</source>
        <translation>
            <numerusform>リンク (個別 %n)(&amp;L)</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Links</source>
        <translation>リンク(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;General</source>
        <translation>全般(&amp;G)</translation>
    </message>
    <message>
        <source>Open an environment</source>
        <translation>環境を開く</translation>
    </message>
    <message>
        <source>Environments (*.toml)</source>
        <translation>環境 (*.toml)</translation>
    </message>
    <message>
        <source>Save the environment</source>
        <translation>環境を保存</translation>
    </message>
    <message>
        <source>The environment is in %1.</source>
        <translation>環境を %1 に保存しました。</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>環境</translation>
    </message>
    <message>
        <source>There can be %1 nodes at most.</source>
        <translation>ノードは最大 %1 個です。</translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) removed, with the links from and to them.</source>
        <translation>
            <numerusform>%n 個のノードと、それにつながるリンクを削除しました。</numerusform>
        </translation>
    </message>
    <message>
        <source>Add node</source>
        <translation>ノードを追加</translation>
    </message>
    <message>
        <source>Duplicate nodes</source>
        <translation>ノードを複製</translation>
    </message>
    <message>
        <source>Remove nodes</source>
        <translation>ノードを削除</translation>
    </message>
    <message>
        <source>File of the environment</source>
        <translation>環境のファイル</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>ノード</translation>
    </message>
    <message>
        <source>%1 of %2 links cost nothing, as that from %3 to %4</source>
        <translation>%2 本のリンクのうち %1 本は費用がゼロです (%3 から %4 へのリンクなど)</translation>
    </message>
    <message>
        <source>Set figures under Links, or the default under General.</source>
        <translation>「リンク」か「全般」の既定値で数値を入れてください。</translation>
    </message>
</context>
<context>
    <name>tasuki::EventListModel</name>
    <message>
        <source>Time</source>
        <translation>時刻</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>重要度</translation>
    </message>
    <message>
        <source>Subject</source>
        <translation>対象</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>イベント</translation>
    </message>
    <message>
        <source>task %1</source>
        <translation>タスク %1</translation>
    </message>
    <message>
        <source>run</source>
        <translation>実行</translation>
    </message>
    <message>
        <source>The run was resumed on %1 by Tasuki %2</source>
        <translation>%1 で Tasuki %2 が実行を再開しました</translation>
    </message>
    <message>
        <source>The run began on %1 with Tasuki %2</source>
        <translation>%1 で Tasuki %2 が実行を開始しました</translation>
    </message>
    <message>
        <source>The run is complete after %1</source>
        <translation>実行は %1 で完了しました</translation>
    </message>
    <message>
        <source>The run was interrupted after %1; it can be resumed</source>
        <translation>実行は %1 で中断しました。再開できます</translation>
    </message>
    <message>
        <source>The run was interrupted after %1</source>
        <translation>実行は %1 で中断しました</translation>
    </message>
    <message>
        <source>Task %1 was added</source>
        <translation>タスク %1 が追加されました</translation>
    </message>
    <message>
        <source>Task %1 was changed</source>
        <translation>タスク %1 が変更されました</translation>
    </message>
    <message>
        <source>Task %1 was taken off the list</source>
        <translation>タスク %1 がリストから外されました</translation>
    </message>
    <message>
        <source>Task %1 is to be done again</source>
        <translation>タスク %1 をやり直します</translation>
    </message>
    <message>
        <source>Task %1 is held back</source>
        <translation>タスク %1 が保留されました</translation>
    </message>
    <message>
        <source>Task %1 may start again</source>
        <translation>タスク %1 の保留が解除されました</translation>
    </message>
    <message>
        <source>Task %1 was cancelled</source>
        <translation>タスク %1 が取り消されました</translation>
    </message>
    <message>
        <source>Task %1 is skipped because task %2 did not succeed</source>
        <translation>タスク %2 が成功しなかったため、タスク %1 をスキップしました</translation>
    </message>
    <message numerus="yes">
        <source>%1 is held by another process, on %2 with %n slot(s)</source>
        <translation>
            <numerusform>%1 を別のプロセスが引き継ぎました (%2、スロット %n)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 joined on %2 with %n slot(s)</source>
        <translation>
            <numerusform>%1 が参加しました (%2、スロット %n)</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>%1 が離脱しました</translation>
    </message>
    <message>
        <source>%1 was lost: %2</source>
        <translation>%1 を失いました: %2</translation>
    </message>
    <message>
        <source>Task %1 started on %2 (attempt %3)</source>
        <translation>タスク %1 が %2 で開始しました (試行 %3)</translation>
    </message>
    <message>
        <source>Task %1 succeeded on %2 (attempt %3)</source>
        <translation>タスク %1 が %2 で成功しました (試行 %3)</translation>
    </message>
    <message>
        <source>Task %1 did not succeed on %2 (attempt %3): %4</source>
        <translation>タスク %1 は %2 で成功しませんでした (試行 %3): %4</translation>
    </message>
    <message>
        <source>Task %1 is retried after attempt %3 on %2: %4</source>
        <translation>タスク %1 を再試行します (%2 の試行 %3 の後): %4</translation>
    </message>
    <message>
        <source>Task %1 waits again after attempt %3 on %2: %4</source>
        <translation>タスク %1 は待機に戻りました (%2 の試行 %3 の後): %4</translation>
    </message>
    <message>
        <source>Task %1 is being cancelled: its process is killed</source>
        <translation>タスク %1 を取り消しています。プロセスを終了させます</translation>
    </message>
</context>
<context>
    <name>tasuki::EventPanel</name>
    <message>
        <source>Events</source>
        <translation>イベント</translation>
    </message>
    <message>
        <source>Loading...</source>
        <translation>読み込んでいます…</translation>
    </message>
    <message>
        <source>Nothing has happened yet.</source>
        <translation>まだ何も起きていません。</translation>
    </message>
    <message>
        <source>Nothing notable has happened so far.</source>
        <translation>注意すべきことはまだ起きていません。</translation>
    </message>
    <message>
        <source>Everythin&amp;g, not only what is notable</source>
        <translation>注意すべきものだけでなく、すべて表示(&amp;G)</translation>
    </message>
    <message>
        <source>Least severity</source>
        <translation>最低の重要度</translation>
    </message>
    <message>
        <source>From sever&amp;ity</source>
        <translation>重要度の下限(&amp;I)</translation>
    </message>
</context>
<context>
    <name>tasuki::FailoverListModel</name>
    <message>
        <source>From the loss until the verdict about it</source>
        <translation>喪失から、それが判定されるまで</translation>
    </message>
    <message>
        <source>From the verdict until who took over said so</source>
        <translation>判定から、引き継いだプロセッサの報告まで</translation>
    </message>
    <message>
        <source>The last sign of life, or when the end of the process was seen</source>
        <translation>最後の応答、またはプロセスの終了が見られた時刻</translation>
    </message>
    <message>
        <source>Lost at</source>
        <translation>喪失時刻</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>時刻</translation>
    </message>
    <message>
        <source>Subcluster</source>
        <translation>サブクラスター</translation>
    </message>
    <message>
        <source>Seat</source>
        <translation>席</translation>
    </message>
    <message>
        <source>Lost processor</source>
        <translation>失われたプロセッサ</translation>
    </message>
    <message>
        <source>Cause</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Taken over by</source>
        <translation>引き継ぎ先</translation>
    </message>
    <message>
        <source>Detection</source>
        <translation>検出</translation>
    </message>
    <message>
        <source>Takeover</source>
        <translation>引き継ぎ</translation>
    </message>
    <message>
        <source>incarnation %1</source>
        <translation>%1 代目</translation>
    </message>
    <message>
        <source>nobody: given up</source>
        <translation>なし: 放棄</translation>
    </message>
    <message>
        <source>nobody: vacant</source>
        <translation>なし: 空席</translation>
    </message>
    <message>
        <source>system master</source>
        <translation>システムマスター</translation>
    </message>
</context>
<context>
    <name>tasuki::FailoverPanel</name>
    <message>
        <source>Failovers</source>
        <translation>引き継ぎ</translation>
    </message>
    <message>
        <source>Sho&amp;w on the timeline</source>
        <translation>タイムラインで表示(&amp;W)</translation>
    </message>
    <message>
        <source>Export the failovers</source>
        <translation>引き継ぎの書き出し</translation>
    </message>
    <message>
        <source>Loading...</source>
        <translation>読み込んでいます…</translation>
    </message>
    <message>
        <source>This run has no failure hierarchy: nobody takes over the rank of a processor that is lost.</source>
        <translation>この実行に障害階層はありません。失われたプロセッサのランクは引き継がれません。</translation>
    </message>
    <message>
        <source>No seat has changed hands.</source>
        <translation>引き継がれた席はありません。</translation>
    </message>
    <message>
        <source>No processor has been lost.</source>
        <translation>失われたプロセッサはありません。</translation>
    </message>
</context>
<context>
    <name>tasuki::FileChangeBar</name>
    <message>
        <source>Reload</source>
        <translation>読み込み直す</translation>
    </message>
    <message>
        <source>Keep mine</source>
        <translation>自分の編集を残す</translation>
    </message>
    <message>
        <source>Show what stands in the file; Undo brings back what is here</source>
        <translation>ファイルの内容を表示します。「元に戻す」でここの内容に戻れます</translation>
    </message>
    <message>
        <source>What is here stands, and replaces the file when it is saved</source>
        <translation>ここの内容を残し、保存するときにファイルを置き換えます</translation>
    </message>
    <message>
        <source>%1 is no longer there.</source>
        <translation>%1 がなくなりました。</translation>
    </message>
    <message>
        <source>%1 cannot be read any more: %2</source>
        <translation>%1 を読めなくなりました: %2</translation>
    </message>
    <message>
        <source>Somebody else has written %1 since it was read here.</source>
        <translation>ここで読み込んだ後に、ほかの誰かが %1 を書き換えました。</translation>
    </message>
</context>
<context>
    <name>tasuki::FileConflictDialog</name>
    <message>
        <source>The file has changed</source>
        <translation>ファイルが変更されています</translation>
    </message>
    <message>
        <source>%1 was written by somebody else at %2, after it was read here. Nothing is overwritten without you: decide what shall stand.</source>
        <translation>%1 は、ここで読み込んだ後の %2 に、ほかの誰かが書き換えました。断りなく上書きはしません。どちらを残すか選んでください。</translation>
    </message>
    <message>
        <source>− what stands in the file now, + what would be saved from here</source>
        <translation>− いまファイルにある行、+ ここから保存される行</translation>
    </message>
    <message>
        <source>Keep &amp;mine</source>
        <translation>自分の編集を残す(&amp;M)</translation>
    </message>
    <message>
        <source>Save what is here; what somebody else has written is gone</source>
        <translation>ここの内容を保存します。ほかの人が書いた内容は失われます</translation>
    </message>
    <message>
        <source>&amp;Take theirs</source>
        <translation>相手の内容にする(&amp;T)</translation>
    </message>
    <message>
        <source>Show what stands in the file; Undo brings your edits back</source>
        <translation>ファイルの内容を表示します。「元に戻す」で自分の編集に戻れます</translation>
    </message>
    <message>
        <source>Show &amp;differences</source>
        <translation>違いを表示(&amp;D)</translation>
    </message>
    <message>
        <source>Theirs cannot be taken: %1</source>
        <translation>相手の内容は使えません: %1</translation>
    </message>
    <message>
        <source>When you take theirs, Undo brings your edits back.</source>
        <translation>相手の内容にしても、「元に戻す」で自分の編集に戻れます。</translation>
    </message>
    <message>
        <source>Hide &amp;differences</source>
        <translation>違いを隠す(&amp;D)</translation>
    </message>
</context>
<context>
    <name>tasuki::FileDocument</name>
    <message>
        <source>Take the file as it is on disk</source>
        <translation>ディスク上のファイルの取り込み</translation>
    </message>
</context>
<context>
    <name>tasuki::FileEditorPanel</name>
    <message>
        <source>Open...</source>
        <translation>開く…</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Ctrl+S</source>
        <translation>Ctrl+S</translation>
    </message>
    <message>
        <source>Save as...</source>
        <translation>名前を付けて保存…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+S</source>
        <translation>Ctrl+Shift+S</translation>
    </message>
    <message>
        <source>not saved</source>
        <translation>未保存</translation>
    </message>
    <message>
        <source>What stands in the file was taken; Undo brings your edits back.</source>
        <translation>ファイルの内容を取り込みました。「元に戻す」で自分の編集に戻れます。</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>すべてのファイル (*)</translation>
    </message>
    <message numerus="yes">
        <source>%1 cannot be used: %n thing(s) wrong in it</source>
        <translation>
            <numerusform>%1 は使えません: 誤りが %n 件あります</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 is open; %n thing(s) to note</source>
        <translation>
            <numerusform>%1 を開きました。注意が %n 件あります</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 was written by somebody else after it was read here. What shall stand?</source>
        <translation>%1 は、ここで読み込んだ後にほかの誰かが書き換えました。どちらを残しますか?</translation>
    </message>
    <message>
        <source>Keep &amp;mine</source>
        <translation>自分の編集を残す(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Take theirs</source>
        <translation>相手の内容にする(&amp;T)</translation>
    </message>
    <message>
        <source>%1 is no longer there. Save it again?</source>
        <translation>%1 がなくなっています。もう一度保存しますか?</translation>
    </message>
    <message>
        <source>%1 cannot be read any more, and was not replaced</source>
        <translation>%1 を読み込めなくなったため、上書きしませんでした</translation>
    </message>
    <message>
        <source>It was not saved: what is being typed is wrong.</source>
        <translation>保存しませんでした: 入力中の値が正しくありません。</translation>
    </message>
    <message>
        <source>%1 cannot be saved</source>
        <translation>%1 を保存できません</translation>
    </message>
    <message>
        <source>%1 has edits that are not saved.</source>
        <translation>%1 には保存していない変更があります。</translation>
    </message>
    <message>
        <source>Ctrl+D</source>
        <translation>Ctrl+D</translation>
    </message>
    <message>
        <source>Ctrl+Del</source>
        <translation>Ctrl+Del</translation>
    </message>
</context>
<context>
    <name>tasuki::FolderDialog</name>
    <message>
        <source>Write</source>
        <translation>書き込む</translation>
    </message>
</context>
<context>
    <name>tasuki::GeneralForm</name>
    <message>
        <source>Trace</source>
        <translation>トレース</translation>
    </message>
    <message>
        <source>Where the trace was taken, nodes had this speed.</source>
        <translation>トレースを取った環境のノードの速度です。</translation>
    </message>
    <message>
        <source>S&amp;peed of the traced nodes</source>
        <translation>トレース時のノードの速度(&amp;P)</translation>
    </message>
    <message>
        <source>relative</source>
        <translation>相対値</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>メッセージ</translation>
    </message>
    <message>
        <source>Messages &amp;wait above</source>
        <translation>待ち合わせるメッセージの下限(&amp;W)</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>バイト</translation>
    </message>
    <message>
        <source>Links without figures of their own</source>
        <translation>個別の値を持たないリンク</translation>
    </message>
    <message>
        <source>a&amp;0</source>
        <translation>a&amp;0</translation>
    </message>
    <message>
        <source>µs</source>
        <translation>µs</translation>
    </message>
    <message>
        <source>a&amp;1</source>
        <translation>a&amp;1</translation>
    </message>
    <message>
        <source>µs/byte</source>
        <translation>µs/バイト</translation>
    </message>
    <message>
        <source>Inside a node</source>
        <translation>ノードの内部</translation>
    </message>
    <message>
        <source>Between tasks that share one.</source>
        <translation>同じノードにあるタスクの間の値です。</translation>
    </message>
    <message>
        <source>a0 in&amp;side</source>
        <translation>ノード内の a0(&amp;S)</translation>
    </message>
    <message>
        <source>a1 insi&amp;de</source>
        <translation>ノード内の a1(&amp;D)</translation>
    </message>
    <message>
        <source>Longer ones wait for their receive before they travel. A send is over when the rest of its message fits in the send buffer of its link.</source>
        <translation>下限より長いメッセージは、受信側の準備を待ってから送られます。メッセージの残りがリンクの送信バッファに収まれば、送信は終わります。</translation>
    </message>
    <message>
        <source>Send buffe&amp;r</source>
        <translation>送信バッファ(&amp;R)</translation>
    </message>
    <message>
        <source>A message of N bytes takes a0 + a1 N. When a link with a burst has been idle, the burst goes through at once: a0 + a1 (N - burst), at least a0.</source>
        <translation>N バイトのメッセージには a0 + a1 N かかります。バーストのあるリンクが空いていたときは、その分が一度に通り、a0 + a1 (N - バースト) になります (少なくとも a0)。</translation>
    </message>
    <message>
        <source>B&amp;urst</source>
        <translation>バースト(&amp;U)</translation>
    </message>
    <message>
        <source>Burst &amp;inside</source>
        <translation>ノード内のバースト(&amp;I)</translation>
    </message>
</context>
<context>
    <name>tasuki::ImageExport</name>
    <message>
        <source>Cannot write %1: %2</source>
        <translation>%1 に書き込めません: %2</translation>
    </message>
    <message>
        <source>the image could not be encoded</source>
        <translation>画像を符号化できませんでした</translation>
    </message>
</context>
<context>
    <name>tasuki::LaneArea</name>
    <message>
        <source>All</source>
        <translation>全体</translation>
    </message>
    <message>
        <source>Show everything (F)</source>
        <translation>全体を表示 (F)</translation>
    </message>
    <message>
        <source>Arrow keys left and right select in the row, up and down in other rows, with Control they pan. Plus and minus zoom, F shows everything, Escape selects nothing.</source>
        <translation>左右の矢印キーで行の中を、上下で別の行を選択し、Ctrl と左右で移動します。+ と - で拡大・縮小、F で全体を表示、Esc で選択を解除します。</translation>
    </message>
</context>
<context>
    <name>tasuki::LaneLabels</name>
    <message>
        <source>%1.%2</source>
        <comment>rank and slot</comment>
        <translation>%1.%2</translation>
    </message>
</context>
<context>
    <name>tasuki::LinkMatrixModel</name>
    <message>
        <source>empty: %1</source>
        <translation>空: %1</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>%1 から</translation>
    </message>
    <message>
        <source>to %1</source>
        <translation>%1 へ</translation>
    </message>
    <message>
        <source>From %1 to %2</source>
        <translation>%1 から %2 へ</translation>
    </message>
    <message>
        <source>Inside %1</source>
        <translation>%1 の内部</translation>
    </message>
    <message>
        <source>its own</source>
        <translation>個別の値</translation>
    </message>
    <message>
        <source>as inside every node</source>
        <translation>全ノード内部の値</translation>
    </message>
    <message>
        <source>the default</source>
        <translation>既定値</translation>
    </message>
    <message>
        <source>no burst</source>
        <translation>バーストなし</translation>
    </message>
    <message>
        <source>burst = %1 bytes</source>
        <translation>バースト = %1 バイト</translation>
    </message>
    <message>
        <source>%1: a0 = %2 µs, a1 = %3 µs/byte, %4 (%5)</source>
        <translation>%1: a0 = %2 µs, a1 = %3 µs/バイト, %4 (%5)</translation>
    </message>
</context>
<context>
    <name>tasuki::LinkPage</name>
    <message>
        <source>The current link</source>
        <translation>現在のリンク</translation>
    </message>
    <message>
        <source>Links between nodes: rows send, columns receive</source>
        <translation>ノード間のリンク: 行が送信側、列が受信側</translation>
    </message>
    <message>
        <source>a&amp;0, start of a message (µs)</source>
        <translation>a&amp;0: メッセージの開始 (µs)</translation>
    </message>
    <message>
        <source>a&amp;1, each byte (µs/byte)</source>
        <translation>a&amp;1: 1 バイトごと (µs/バイト)</translation>
    </message>
    <message>
        <source>&amp;Both directions</source>
        <translation>両方向(&amp;B)</translation>
    </message>
    <message>
        <source>Edits hold for the way back too</source>
        <translation>変更を逆向きのリンクにも適用します</translation>
    </message>
    <message>
        <source>Use the &amp;default</source>
        <translation>既定値を使う(&amp;D)</translation>
    </message>
    <message>
        <source>The chosen links have no figures of their own any more (Delete)</source>
        <translation>選んだリンクの個別の値を取り除きます (Delete)</translation>
    </message>
    <message>
        <source>Rows send, columns receive. Bold: figures of its own.</source>
        <translation>行が送信側、列が受信側です。太字は個別の値です。</translation>
    </message>
    <message>
        <source>B&amp;urst (bytes)</source>
        <translation>バースト (バイト)(&amp;U)</translation>
    </message>
</context>
<context>
    <name>tasuki::LinkSocket</name>
    <message>
        <source>the agent closed the connection</source>
        <translation>エージェントが接続を閉じました</translation>
    </message>
    <message>
        <source>the access file names no socket</source>
        <translation>アクセスファイルにソケットの記載がありません</translation>
    </message>
    <message>
        <source>what answers there is no relay of Tasuki</source>
        <translation>応答したのは Tasuki の中継ではありません</translation>
    </message>
</context>
<context>
    <name>tasuki::LiveTopology</name>
    <message>
        <source>This cannot be changed while the system runs: save the topology as a file, change it there, and resume the run with it.</source>
        <translation>システムの動作中は変更できません。トポロジをファイルに保存して変更し、それで実行を再開してください。</translation>
    </message>
    <message>
        <source>How many processors there are of each kind cannot be changed while the system runs: change the role of one, or drain or stop it.</source>
        <translation>種類ごとのプロセッサの数は、システムの動作中は変更できません。プロセッサの役割を変えるか、割り当てを止めるか、終了させてください。</translation>
    </message>
    <message>
        <source>What others have changed</source>
        <translation>ほかの人の変更</translation>
    </message>
    <message numerus="yes">
        <source>Take %n value(s) as the system runs</source>
        <translation>
            <numerusform>%n 個の値を動作中のとおりにする</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tasuki::MainWindow</name>
    <message>
        <source>%1 - Tasuki</source>
        <translation>%1 - Tasuki</translation>
    </message>
    <message>
        <source>Unsent changes</source>
        <translation>未送信の変更</translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation>破棄(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Keep</source>
        <translation>残す(&amp;K)</translation>
    </message>
    <message>
        <source>Open a run file</source>
        <translation>実行記録を開く</translation>
    </message>
    <message>
        <source>Run files (*%1)</source>
        <translation>実行記録 (*%1)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>すべてのファイル (*)</translation>
    </message>
    <message>
        <source>Planner</source>
        <translation>プランナー</translation>
    </message>
    <message>
        <source>Open a trace</source>
        <translation>トレースを開く</translation>
    </message>
    <message>
        <source>ALOG traces (*%1)</source>
        <translation>ALOG トレース (*%1)</translation>
    </message>
    <message numerus="yes">
        <source>(%n alarm(s))</source>
        <translation>
            <numerusform>(アラーム %n 件)</numerusform>
        </translation>
    </message>
    <message>
        <source>Open a topology</source>
        <translation>トポロジを開く</translation>
    </message>
    <message>
        <source>Topologies (*.toml)</source>
        <translation>トポロジ (*.toml)</translation>
    </message>
    <message numerus="yes">
        <source>%n changed task(s) were not sent to the agent.</source>
        <translation>
            <numerusform>変更した %n 個のタスクは、まだエージェントに送っていません。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n edited value(s) of the topology were not applied to the running system.</source>
        <translation>
            <numerusform>トポロジの編集した値 %n 個は、まだ動作中のシステムに適用していません。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 Discard the changes?</source>
        <comment>what was not sent</comment>
        <translation>%1変更を破棄しますか?</translation>
    </message>
    <message>
        <source>Open a run on another host</source>
        <translation>他のホストの実行を開く</translation>
    </message>
</context>
<context>
    <name>tasuki::NodeTableModel</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>empty: %1</source>
        <translation>空: %1</translation>
    </message>
    <message>
        <source>%1
(µs/byte)</source>
        <translation>%1
(µs/バイト)</translation>
    </message>
    <message>
        <source>What mpirun knows the computer by</source>
        <translation>mpirun がこの計算機を呼ぶ名前</translation>
    </message>
    <message>
        <source>Relative: at 0.5, computation takes twice the time</source>
        <translation>相対値: 0.5 なら計算に 2 倍の時間がかかります</translation>
    </message>
    <message>
        <source>How many tasks the node takes</source>
        <translation>このノードが受け持つタスクの数</translation>
    </message>
    <message>
        <source>How many cores a task may be bound to</source>
        <translation>タスクを割り当てられるコアの数</translation>
    </message>
    <message>
        <source>What the network card takes for a byte that leaves</source>
        <translation>送り出す 1 バイトにネットワークカードがかける時間</translation>
    </message>
    <message>
        <source>What the network card takes for a byte that comes</source>
        <translation>受け取る 1 バイトにネットワークカードがかける時間</translation>
    </message>
    <message>
        <source>A node needs a name, a speed and slots. Ctrl+Delete removes the whole node.</source>
        <translation>ノードには名前、速度、スロットが必要です。ノード全体の削除は Ctrl+Delete です。</translation>
    </message>
    <message>
        <source>row %1</source>
        <translation>%1 行目</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 の%1</translation>
    </message>
</context>
<context>
    <name>tasuki::OutcomeView</name>
    <message>
        <source>Units</source>
        <translation>ユニット</translation>
    </message>
    <message>
        <source>Processors</source>
        <translation>プロセッサ</translation>
    </message>
    <message>
        <source>Drawing of the system</source>
        <translation>システムの図</translation>
    </message>
    <message>
        <source>As tasuki-agent check prints it</source>
        <translation>tasuki-agent check の出力と同じです</translation>
    </message>
    <message>
        <source>as the topology needs</source>
        <translation>トポロジに合わせる</translation>
    </message>
    <message>
        <source>Hosts and how many processors each has, e.g. node0:4, node1:4, or how many processors in all. Empty: a launch that fits.</source>
        <translation>ホストとそのプロセッサ数 (例: node0:4, node1:4)、または全体のプロセッサ数。空なら、ちょうど合う起動です。</translation>
    </message>
    <message>
        <source>Launch that is tried out</source>
        <translation>試す起動</translation>
    </message>
    <message>
        <source>Try a &amp;launch:</source>
        <translation>起動を試す(&amp;L):</translation>
    </message>
    <message>
        <source>Once nothing is wrong with the topology, this shows what becomes of the processors of a launch.</source>
        <translation>トポロジの誤りがなくなると、起動したプロセッサの割り当てをここに表示します。</translation>
    </message>
    <message>
        <source>The topology and the launch do not go together: see above.</source>
        <translation>トポロジと起動が合いません。上の説明を見てください。</translation>
    </message>
    <message>
        <source>%1, %2, %3</source>
        <translation>%1、%2、%3</translation>
    </message>
    <message numerus="yes">
        <source>%n processor(s)</source>
        <translation>
            <numerusform>%n プロセッサ</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n subcluster(s)</source>
        <translation>
            <numerusform>%n サブクラスター</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n unit(s)</source>
        <translation>
            <numerusform>%n ユニット</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thing(s) to note in this launch</source>
        <translation>
            <numerusform>この起動について注意が %n 件あります</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The topology does not fit this launch: %n thing(s) wrong</source>
        <translation>
            <numerusform>トポロジがこの起動に合いません: 誤りが %n 件あります</numerusform>
        </translation>
    </message>
    <message>
        <source>Saving would change nothing.</source>
        <translation>保存しても何も変わりません。</translation>
    </message>
    <message>
        <source>This is what saving would write:</source>
        <translation>保存すると次の内容が書き込まれます:</translation>
    </message>
    <message>
        <source>Nothing was edited. If you save the topology all the same, the file gets the form in which this window writes it:</source>
        <translation>編集はありません。それでも保存すると、ファイルはこのウィンドウの書式になります:</translation>
    </message>
    <message>
        <source>This is what saving would change in the file:</source>
        <translation>保存するとファイルは次のように変わります:</translation>
    </message>
    <message>
        <source>&amp;Units</source>
        <translation>ユニット(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Processors</source>
        <translation>プロセッサ(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Drawing</source>
        <translation>図(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Changes</source>
        <translation>変更点(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Changes (+%1 −%2)</source>
        <translation>変更点(&amp;C) (+%1 −%2)</translation>
    </message>
</context>
<context>
    <name>tasuki::OutputView</name>
    <message>
        <source>Output of the attempt</source>
        <translation>試行の出力</translation>
    </message>
    <message>
        <source>Error output of the attempt</source>
        <translation>試行のエラー出力</translation>
    </message>
    <message>
        <source>Follow the end of the output</source>
        <translation>出力の末尾を追う</translation>
    </message>
    <message>
        <source>Copy the output</source>
        <translation>出力をコピー</translation>
    </message>
    <message>
        <source>Save the output to a file</source>
        <translation>出力をファイルに保存</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>出力</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>エラー出力</translation>
    </message>
    <message>
        <source>The task has not been tried yet.</source>
        <translation>このタスクはまだ試行されていません。</translation>
    </message>
    <message>
        <source>Attempt %1</source>
        <translation>試行 %1</translation>
    </message>
    <message>
        <source>output is being fetched</source>
        <translation>出力を取得中</translation>
    </message>
    <message>
        <source>runs, output is live</source>
        <translation>実行中、出力はライブ</translation>
    </message>
    <message>
        <source>wrote nothing</source>
        <translation>出力なし</translation>
    </message>
    <message>
        <source>wrote %1 of output and %2 of errors</source>
        <translation>出力 %1、エラー出力 %2</translation>
    </message>
    <message>
        <source>Save the output</source>
        <translation>出力を保存</translation>
    </message>
    <message>
        <source>Open the file with all of it</source>
        <translation>すべての出力のファイルを開く</translation>
    </message>
    <message>
        <source>&amp;Whole output</source>
        <translation>出力の全体(&amp;W)</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>%1 を開く</translation>
    </message>
    <message>
        <source>; </source>
        <translation>、</translation>
    </message>
    <message>
        <source>kept: nothing</source>
        <translation>記録なし</translation>
    </message>
    <message>
        <source>kept: first %1</source>
        <translation>記録は先頭の %1</translation>
    </message>
    <message>
        <source>kept: first %1 and last %2</source>
        <translation>記録は先頭の %1 と末尾の %2</translation>
    </message>
    <message>
        <source>only the end of it is shown</source>
        <translation>表示は末尾だけ</translation>
    </message>
    <message>
        <source>%1 is not here: the run wrote it on its own host, or somebody has removed it.</source>
        <translation>%1 はここにありません。実行したホストに書かれたか、削除されています。</translation>
    </message>
    <message>
        <source>No program is there that opens %1.</source>
        <translation>%1 を開くプログラムがありません。</translation>
    </message>
    <message>
        <source>Whole output</source>
        <translation>出力の全体</translation>
    </message>
</context>
<context>
    <name>tasuki::Phrase</name>
    <message>
        <source>start with -n %1, or change active, standby and io to %2 in all</source>
        <translation>-n %1 で起動するか、active、standby、io を合わせて %2 にしてください</translation>
    </message>
    <message>
        <source>start with -n %1, or write active = %2</source>
        <translation>-n %1 で起動するか、active = %2 と書いてください</translation>
    </message>
    <message>
        <source>needs %1 (%2), the launch has %3</source>
        <translation>%1が必要ですが (%2)、起動するのは %3 個です</translation>
    </message>
    <message>
        <source>there is no host &quot;%1&quot; in the launch</source>
        <translation>ホスト &quot;%1&quot; は起動するプロセッサの中にありません</translation>
    </message>
    <message>
        <source>did you mean &quot;%1&quot;? There are %2</source>
        <translation>&quot;%1&quot; のことですか? あるのは %2 です</translation>
    </message>
    <message>
        <source>host &quot;%1&quot; may be &quot;%2&quot; or &quot;%3&quot;</source>
        <translation>ホスト &quot;%1&quot; は &quot;%2&quot; とも &quot;%3&quot; とも取れます</translation>
    </message>
    <message>
        <source>write the whole name</source>
        <translation>完全な名前を書いてください</translation>
    </message>
    <message>
        <source>subcluster &quot;%1&quot; takes no processor of host &quot;%2&quot;: the others have enough, or others have taken them</source>
        <translation>サブクラスター &quot;%1&quot; はホスト &quot;%2&quot; のプロセッサを使いません。ほかのホストで足りているか、ほかのサブクラスターが使っています</translation>
    </message>
    <message>
        <source>leave the host out, or start fewer processors on the others</source>
        <translation>そのホストを外すか、ほかのホストで起動するプロセッサを減らしてください</translation>
    </message>
    <message>
        <source>subcluster &quot;%1&quot; needs %2, its hosts have %3 that subclusters above do not take (%4)</source>
        <translation>サブクラスター &quot;%1&quot; には%2が必要ですが、そのホストで上のサブクラスターが使わないのは %3 個です (%4)</translation>
    </message>
    <message>
        <source>subcluster &quot;%1&quot; needs %2, its hosts have %3 (%4)</source>
        <translation>サブクラスター &quot;%1&quot; には%2が必要ですが、そのホストにあるのは %3 個です (%4)</translation>
    </message>
    <message>
        <source>start %1 more on them, or name more hosts</source>
        <translation>そこであと %1 個起動するか、ホストを追加してください</translation>
    </message>
    <message>
        <source>subcluster &quot;%1&quot; has %2 of host &quot;%3&quot;, too few for %4 units</source>
        <translation>サブクラスター &quot;%1&quot; に%2しかないホスト &quot;%3&quot; では、%4 個のユニットには足りません</translation>
    </message>
    <message>
        <source>write units = %1 or less, or give it more processors there</source>
        <translation>units = %1 以下にするか、そこのプロセッサを増やしてください</translation>
    </message>
    <message>
        <source>is empty</source>
        <translation>が空です</translation>
    </message>
    <message>
        <source>is longer than %1 bytes</source>
        <translation>が %1 バイトを超えています</translation>
    </message>
    <message>
        <source>has a blank in it</source>
        <translation>に空白が含まれています</translation>
    </message>
    <message>
        <source>has a control character in it</source>
        <translation>に制御文字が含まれています</translation>
    </message>
    <message>
        <source>the string %1</source>
        <translation>文字列 %1</translation>
    </message>
    <message>
        <source>an array</source>
        <translation>配列</translation>
    </message>
    <message>
        <source>a table</source>
        <translation>テーブル</translation>
    </message>
    <message>
        <source>a date or time</source>
        <translation>日付や時刻</translation>
    </message>
    <message>
        <source>a key of more than %1 parts</source>
        <translation>キーの部分が %1 個を超えています</translation>
    </message>
    <message>
        <source>keys here are single words; write %1 above them</source>
        <translation>ここのキーは 1 語です。その上に %1 を書いてください</translation>
    </message>
    <message>
        <source>no valid TOML: %1</source>
        <translation>正しい TOML ではありません: %1</translation>
    </message>
    <message>
        <source>write key = value, text in %1, and %2 above each</source>
        <translation>キー = 値 の形で、文字列は %1 のように囲み、それぞれの上に %2 を書いてください</translation>
    </message>
    <message>
        <source>there is no %1 at the top of the file</source>
        <translation>%1 はファイルの先頭には書けません</translation>
    </message>
    <message>
        <source>there is no %1 in %2</source>
        <translation>%1 は %2 には書けません</translation>
    </message>
    <message>
        <source>write it under %1</source>
        <translation>%1 の下に書いてください</translation>
    </message>
    <message>
        <source>unknown key %1 at the top of the file</source>
        <translation>ファイルの先頭に未知のキー %1 があります</translation>
    </message>
    <message>
        <source>unknown key %1 in %2</source>
        <translation>%2 に未知のキー %1 があります</translation>
    </message>
    <message>
        <source>did you mean %1? There are %2</source>
        <translation>%1 のことですか? あるのは %2 です</translation>
    </message>
    <message>
        <source>%1 is %2</source>
        <translation>%1 が %2 です</translation>
    </message>
    <message>
        <source>expected %1, e.g. %2 = %3</source>
        <translation>%1にしてください (例: %2 = %3)</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true か false</translation>
    </message>
    <message>
        <source>write [[%1]], once for each %2</source>
        <translation>%2 ごとに [[%1]] を書いてください</translation>
    </message>
    <message>
        <source>%1 has %2 among its tables</source>
        <translation>%1 のテーブルの中に %2 があります</translation>
    </message>
    <message>
        <source>write [[%1]], once for each</source>
        <translation>それぞれについて [[%1]] を書いてください</translation>
    </message>
    <message>
        <source>%1 has no %2</source>
        <translation>%1 に %2 がありません</translation>
    </message>
    <message>
        <source>write, for example, %1</source>
        <translation>たとえば %1 と書いてください</translation>
    </message>
    <message>
        <source>write [system], once, and under it heartbeat_ms = %1 and the like</source>
        <translation>[system] を一度だけ書き、その下に heartbeat_ms = %1 などを書いてください</translation>
    </message>
    <message>
        <source>%1, %2 or %3</source>
        <translation>%1、%2、%3 のどれか</translation>
    </message>
    <message>
        <source>did you mean %1? Expected %2</source>
        <translation>%1 のことですか? %2にしてください</translation>
    </message>
    <message>
        <source>active = %1, how many processors hold a rank</source>
        <translation>active = %1 (ランクを受け持つプロセッサの数)</translation>
    </message>
    <message>
        <source>a name between quotation marks</source>
        <translation>引用符で囲んだ名前</translation>
    </message>
    <message>
        <source>write their names between quotation marks, e.g. hosts = [%1, %2]</source>
        <translation>名前を引用符で囲んで書いてください (例: hosts = [%1, %2])</translation>
    </message>
    <message>
        <source>hosts is empty</source>
        <translation>hosts が空です</translation>
    </message>
    <message>
        <source>name a host, or leave hosts out to take what others leave</source>
        <translation>ホストを書くか、hosts を省いてほかが使わない分を使うようにしてください</translation>
    </message>
    <message>
        <source>%1 has %2 among its names</source>
        <translation>%1 の名前の中に %2 があります</translation>
    </message>
    <message>
        <source>write how many in how many seconds, restarts = { count = %1, within_s = %2 }</source>
        <translation>何秒の間に何回かを restarts = { count = %1, within_s = %2 } のように書いてください</translation>
    </message>
    <message>
        <source>%1, the first in line %2</source>
        <translation>%1 (最初は %2 行目)</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1 か %2</translation>
    </message>
    <message>
        <source>more than %1 subclusters</source>
        <translation>サブクラスターが %1 個を超えています</translation>
    </message>
    <message>
        <source>make fewer, larger ones</source>
        <translation>大きくまとめて数を減らしてください</translation>
    </message>
    <message>
        <source>lost_after is %1, suspect_after %2</source>
        <translation>lost_after が %1、suspect_after が %2 です</translation>
    </message>
    <message>
        <source>expected lost_after above suspect_after, e.g. lost_after = %1</source>
        <translation>lost_after は suspect_after より大きくしてください (例: lost_after = %1)</translation>
    </message>
    <message>
        <source>there are no subclusters</source>
        <translation>サブクラスターがありません</translation>
    </message>
    <message>
        <source>write, for each, [[subcluster]] and under it name = &quot;...&quot; and active = N</source>
        <translation>それぞれについて [[subcluster]] と、その下に name = &quot;...&quot; と active = N を書いてください</translation>
    </message>
    <message>
        <source>name %1 %2</source>
        <translation>名前 %1 %2</translation>
    </message>
    <message>
        <source>expected %1 to %2 letters, digits, - or _, e.g. name = %3</source>
        <translation>%1 から %2 文字の英数字、-、_ にしてください (例: name = %3)</translation>
    </message>
    <message>
        <source>two subclusters have the name %1</source>
        <translation>%1 という名前のサブクラスターが 2 つあります</translation>
    </message>
    <message>
        <source>give each one a name of its own</source>
        <translation>それぞれ別の名前にしてください</translation>
    </message>
    <message>
        <source>minimum is %1, active %2</source>
        <translation>下限が %1、稼働が %2 です</translation>
    </message>
    <message>
        <source>expected a minimum of at most active, e.g. minimum = %1</source>
        <translation>下限は稼働数以下にしてください (例: minimum = %1)</translation>
    </message>
    <message>
        <source>units is %1, but the subcluster has %2</source>
        <translation>ユニットが %1 ですが、サブクラスターは%2です</translation>
    </message>
    <message>
        <source>units are those of each host, with a processor each at least: expected at most %1</source>
        <translation>ユニット数はホストごとの数で、それぞれ 1 プロセッサ以上が必要です: %1 以下にしてください</translation>
    </message>
    <message>
        <source>hosts names %1 hosts, but the subcluster has %2</source>
        <translation>ホストが %1 台ですが、サブクラスターは%2です</translation>
    </message>
    <message>
        <source>hosts names %1 hosts of %3 units each, but the subcluster has %2</source>
        <translation>それぞれ %3 ユニットのホストが %1 台ですが、サブクラスターは%2です</translation>
    </message>
    <message>
        <source>name at most %1</source>
        <translation>%1 台までにしてください</translation>
    </message>
    <message>
        <source>name at most %1, or write fewer units</source>
        <translation>%1 台までにするか、ユニットを減らしてください</translation>
    </message>
    <message>
        <source>host %1 %2</source>
        <translation>ホスト名 %1 %2</translation>
    </message>
    <message>
        <source>write the name that mpirun knows the computer by, e.g. %1</source>
        <translation>mpirun が使うコンピュータの名前を入力してください (例: %1)</translation>
    </message>
    <message>
        <source>host %1 is named twice</source>
        <translation>ホスト %1 が 2 回あります</translation>
    </message>
    <message>
        <source>name it once: a subcluster takes as many of its processors as it needs</source>
        <translation>1 回だけ書いてください: サブクラスターは必要な数のプロセッサを使います</translation>
    </message>
    <message>
        <source>more than %1 hosts</source>
        <translation>ホストが %1 台を超えています</translation>
    </message>
    <message>
        <source>make several subclusters of it</source>
        <translation>いくつかのサブクラスターに分けてください</translation>
    </message>
    <message>
        <source>up to here the subclusters need %1 processors</source>
        <translation>ここまでのサブクラスターで %1 プロセッサが必要です</translation>
    </message>
    <message>
        <source>expected at most %1 in all</source>
        <translation>全体で %1 以下にしてください</translation>
    </message>
    <message>
        <source>%1 processor</source>
        <translation>プロセッサ %1 個</translation>
    </message>
    <message>
        <source>%1 processors</source>
        <translation>プロセッサ %1 個</translation>
    </message>
    <message>
        <source>is longer than %1 characters</source>
        <translation>が %1 文字を超えています</translation>
    </message>
    <message>
        <source>has another character than those in it</source>
        <translation>に使えない文字があります</translation>
    </message>
    <message>
        <source>has a %1 in it</source>
        <translation>に %1 があります</translation>
    </message>
    <message>
        <source>a whole number from %1 to %2</source>
        <translation>%1 から %2 までの整数</translation>
    </message>
    <message>
        <source>heartbeats, a whole number from %1 to %2</source>
        <translation>ハートビートの回数、%1 から %2 までの整数</translation>
    </message>
    <message>
        <source>milliseconds, a whole number from %1 to %2</source>
        <translation>ミリ秒単位の %1 から %2 までの整数</translation>
    </message>
    <message>
        <source>seconds, a whole number from %1 to %2</source>
        <translation>秒単位の %1 から %2 までの整数</translation>
    </message>
    <message>
        <source>the record keeps %1 bytes of each stream of a task</source>
        <translation>記録はタスクの出力ごとに %1 バイトを残します</translation>
    </message>
    <message>
        <source>%1; all of it is written to files in &quot;%2&quot;</source>
        <translation>%1。全体は &quot;%2&quot; のファイルに書かれます</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1。%2</translation>
    </message>
    <message>
        <source>processor %1</source>
        <translation>プロセッサ %1</translation>
    </message>
    <message>
        <source>processor %1 (%2)</source>
        <translation>プロセッサ %1 (%2)</translation>
    </message>
    <message>
        <source>a number above 0, from 0.000001 to 1000000</source>
        <translation>0 より大きい数 (0.000001 から 1000000 まで)</translation>
    </message>
    <message>
        <source>a number from 0 to 1000000</source>
        <translation>0 から 1000000 までの数</translation>
    </message>
    <message>
        <source>microseconds, a number from 0 to 1e12</source>
        <translation>マイクロ秒単位の 0 から 1e12 までの数</translation>
    </message>
    <message>
        <source>microseconds for a byte, a number from 0 to 1e9</source>
        <translation>1 バイト当たりのマイクロ秒 (0 から 1e9 までの数)</translation>
    </message>
    <message>
        <source>bytes, a number from 0 to 1e15</source>
        <translation>0 から 1e15 までのバイト数</translation>
    </message>
    <message>
        <source>a whole number of bytes</source>
        <translation>バイト数 (整数)</translation>
    </message>
    <message>
        <source>the run has not begun</source>
        <translation>実行はまだ始まっていません</translation>
    </message>
    <message>
        <source>the run is ending</source>
        <translation>実行は終わろうとしています</translation>
    </message>
    <message>
        <source>the run has ended</source>
        <translation>実行は終わりました</translation>
    </message>
    <message>
        <source>no processor is left to run tasks; resume the run to go on</source>
        <translation>タスクを実行するプロセッサがなくなりました。続けるには実行を再開してください</translation>
    </message>
    <message>
        <source>the allocation ends: interrupted, %1 task is left</source>
        <translation>割り当て時間が終わるため中断しました。残りのタスクは %1 個です</translation>
    </message>
    <message>
        <source>the allocation ends: interrupted, %1 tasks are left</source>
        <translation>割り当て時間が終わるため中断しました。残りのタスクは %1 個です</translation>
    </message>
    <message>
        <source>the record cannot be written</source>
        <translation>記録を書き込めません</translation>
    </message>
    <message>
        <source>%1 task</source>
        <translation>タスク %1 個</translation>
    </message>
    <message>
        <source>%1 tasks</source>
        <translation>タスク %1 個</translation>
    </message>
    <message>
        <source>this run has no hierarchy</source>
        <translation>この実行に障害階層はありません</translation>
    </message>
    <message>
        <source>added %1</source>
        <translation>%1を追加しました</translation>
    </message>
    <message>
        <source>the tasks are no longer as they were when the edit was made</source>
        <translation>編集したときからタスクが変わっています</translation>
    </message>
    <message>
        <source>released %1</source>
        <translation>%1の保留を解除しました</translation>
    </message>
    <message>
        <source>wants %1 to be done again</source>
        <translation>%1のやり直しを指示しました</translation>
    </message>
    <message>
        <source>ends the run and kills what runs</source>
        <translation>実行中のものを強制終了して実行を終了します</translation>
    </message>
    <message>
        <source>ends the run</source>
        <translation>実行を終了します</translation>
    </message>
    <message>
        <source>no alarm was named</source>
        <translation>アラームが指定されていません</translation>
    </message>
    <message>
        <source>no task was named</source>
        <translation>タスクが指定されていません</translation>
    </message>
    <message>
        <source>a task has started or finished before it could be changed</source>
        <translation>変更する前にタスクが始まったか終わりました</translation>
    </message>
    <message>
        <source>changed %1</source>
        <translation>%1を変更しました</translation>
    </message>
    <message>
        <source>goes on with cancelling %1</source>
        <translation>%1の取り消しを続けます</translation>
    </message>
    <message>
        <source>cancelled %1</source>
        <translation>%1を取り消しました</translation>
    </message>
    <message>
        <source>holds %1</source>
        <translation>%1を保留します</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 が%2</translation>
    </message>
    <message>
        <source>policy continue: the others go on</source>
        <translation>方針 continue: ほかのサブクラスターは続行します</translation>
    </message>
    <message>
        <source>policy restart: the run starts again</source>
        <translation>方針 restart: 実行を起動し直して続けます</translation>
    </message>
    <message>
        <source>policy stop: the run ends</source>
        <translation>方針 stop: 実行を終了します</translation>
    </message>
    <message>
        <source>%1 rank is held; %2</source>
        <translation>担当中のランク %1 個。%2</translation>
    </message>
    <message>
        <source>%1 ranks are held; %2</source>
        <translation>担当中のランク %1 個。%2</translation>
    </message>
    <message>
        <source>nobody of its subcluster lives</source>
        <translation>サブクラスターに生きているプロセッサがありません</translation>
    </message>
    <message>
        <source>processor %1 was lost before</source>
        <translation>プロセッサ %1 はその前に失われました</translation>
    </message>
    <message>
        <source>there is no vacant place for it any more</source>
        <translation>空いている席がもうありません</translation>
    </message>
    <message>
        <source>processor %1 takes no part any more: fenced</source>
        <translation>プロセッサ %1 は隔離されていて、もう参加していません</translation>
    </message>
    <message>
        <source>processor %1 takes no part any more: left</source>
        <translation>プロセッサ %1 は離脱していて、もう参加していません</translation>
    </message>
    <message>
        <source>processor %1 takes no part any more: lost</source>
        <translation>プロセッサ %1 は失われていて、もう参加していません</translation>
    </message>
    <message>
        <source>processor %1 is I/O already</source>
        <translation>プロセッサ %1 はすでに I/O プロセッサです</translation>
    </message>
    <message>
        <source>processor %1 is active already</source>
        <translation>プロセッサ %1 はすでに稼働プロセッサです</translation>
    </message>
    <message>
        <source>processor %1 is standby already</source>
        <translation>プロセッサ %1 はすでに待機プロセッサです</translation>
    </message>
    <message>
        <source>there is no processor %1</source>
        <translation>プロセッサ %1 はありません</translation>
    </message>
    <message>
        <source>processor %1 is being ended</source>
        <translation>プロセッサ %1 を終了させている途中です</translation>
    </message>
    <message>
        <source>processor %1 is not ready yet</source>
        <translation>プロセッサ %1 はまだ準備ができていません</translation>
    </message>
    <message>
        <source>processor %1 has not been heard of for some time</source>
        <translation>プロセッサ %1 からしばらく応答がありません</translation>
    </message>
    <message>
        <source>wait until it is, or is lost</source>
        <translation>応答が戻るか、失われたと分かるまで待ってください</translation>
    </message>
    <message>
        <source>processor %1 is a dedicated master: it gets no work anyway</source>
        <translation>プロセッサ %1 は専任マスターで、もともとタスクを受け取りません</translation>
    </message>
    <message>
        <source>processor %1 is drained already</source>
        <translation>プロセッサ %1 はすでに割り当てを止めています</translation>
    </message>
    <message>
        <source>processor %1 is not drained</source>
        <translation>プロセッサ %1 の割り当ては止めていません</translation>
    </message>
    <message>
        <source>processor %1 is the system master: it comes first anyway</source>
        <translation>プロセッサ %1 はシステムマスターで、もともと先頭です</translation>
    </message>
    <message>
        <source>processor %1 comes first already</source>
        <translation>プロセッサ %1 はすでに先頭です</translation>
    </message>
    <message>
        <source>processor %1 is a dedicated master already</source>
        <translation>プロセッサ %1 はすでに専任マスターです</translation>
    </message>
    <message>
        <source>who is a dedicated master is settled at the start</source>
        <translation>専任マスターは、実行を始めるときに決まります</translation>
    </message>
    <message>
        <source>change the topology file for the next run</source>
        <translation>次の実行のトポロジファイルを変更してください</translation>
    </message>
    <message>
        <source>processor %1 holds a place of another kind</source>
        <translation>プロセッサ %1 は別の種類の席を担当しています</translation>
    </message>
    <message>
        <source>make it a standby first</source>
        <translation>先に待機にしてください</translation>
    </message>
    <message>
        <source>processor %1 is drained</source>
        <translation>プロセッサ %1 は割り当てを止めています</translation>
    </message>
    <message>
        <source>let it take work again first</source>
        <translation>先に割り当てを再開してください</translation>
    </message>
    <message>
        <source>its subcluster has no vacant I/O place</source>
        <translation>サブクラスターに空いている I/O の席がありません</translation>
    </message>
    <message>
        <source>its subcluster has no vacant rank</source>
        <translation>サブクラスターに空いているランクがありません</translation>
    </message>
    <message>
        <source>make another processor a standby first</source>
        <translation>先にほかのプロセッサを待機にしてください</translation>
    </message>
    <message>
        <source>processor %1 is the system master, without which the run ends</source>
        <translation>プロセッサ %1 はシステムマスターで、なくなると実行が終わります</translation>
    </message>
    <message>
        <source>end the run instead</source>
        <translation>代わりに実行を終了してください</translation>
    </message>
    <message>
        <source>there is no subcluster %1</source>
        <translation>サブクラスター %1 はありません</translation>
    </message>
    <message>
        <source>a minimum of %1 ranks is more than the %2 that there are</source>
        <translation>下限のランク %1 個は、ランクの数 %2 個を超えています</translation>
    </message>
    <message>
        <source>give %1 to %2</source>
        <translation>%1 から %2 までにしてください</translation>
    </message>
    <message>
        <source>restarts are counted wrongly</source>
        <translation>交代の回数の数え方が正しくありません</translation>
    </message>
    <message>
        <source>give a count of %1 to %2 within %3 to %4 s</source>
        <translation>回数は %1 から %2、期間は %3 から %4 秒にしてください</translation>
    </message>
    <message>
        <source>a heartbeat of %1 ms</source>
        <translation>ハートビートが %1 ミリ秒です</translation>
    </message>
    <message>
        <source>give %1 to %2 milliseconds</source>
        <translation>%1 から %2 ミリ秒までにしてください</translation>
    </message>
    <message>
        <source>suspect after %1 heartbeats, lost after %2</source>
        <translation>疑うまで %1 回、失われたとするまで %2 回のハートビートです</translation>
    </message>
    <message>
        <source>give at least %1, and less than until it is lost</source>
        <translation>%1 以上で、失われたとするまでの回数より小さくしてください</translation>
    </message>
    <message>
        <source>lost after %1 heartbeats</source>
        <translation>失われたとするまで %1 回のハートビートです</translation>
    </message>
    <message>
        <source>give at most %1</source>
        <translation>%1 以下にしてください</translation>
    </message>
    <message>
        <source>processor %1 is not the system master</source>
        <translation>プロセッサ %1 はシステムマスターではありません</translation>
    </message>
    <message>
        <source>ask processor %1</source>
        <translation>プロセッサ %1 に指示してください</translation>
    </message>
    <message>
        <source>a merge has no tasks; it can only be stopped</source>
        <translation>マージにタスクはありません。終了だけができます</translation>
    </message>
    <message>
        <source>makes %1 active</source>
        <translation>%1 の役割を稼働にします</translation>
    </message>
    <message>
        <source>makes %1 I/O</source>
        <translation>%1 の役割を I/O にします</translation>
    </message>
    <message>
        <source>makes %1 standby</source>
        <translation>%1 の役割を待機にします</translation>
    </message>
    <message>
        <source>subclusters cannot be added or removed while the run goes on</source>
        <translation>実行中は、サブクラスターを追加したり削除したりできません</translation>
    </message>
    <message>
        <source>end the run and resume it with the new topology</source>
        <translation>実行を終了し、新しいトポロジで再開してください</translation>
    </message>
    <message>
        <source>subcluster &quot;%1&quot;: &quot;%2&quot; cannot be changed while the run goes on</source>
        <translation>サブクラスター &quot;%1&quot;: &quot;%2&quot; は実行中に変更できません</translation>
    </message>
    <message>
        <source>change roles of processors instead, or end the run and resume it with the new topology</source>
        <translation>代わりにプロセッサの役割を変えるか、実行を終了し、新しいトポロジで再開してください</translation>
    </message>
    <message>
        <source>drains %1</source>
        <translation>%1 の割り当てを止めます</translation>
    </message>
    <message>
        <source>gives work to %1</source>
        <translation>%1 の割り当てを再開します</translation>
    </message>
    <message>
        <source>stops %1</source>
        <translation>%1 を終了させます</translation>
    </message>
    <message>
        <source>promotes %1</source>
        <translation>%1 をマスター候補の先頭にします</translation>
    </message>
    <message>
        <source>the topology has been changed meanwhile</source>
        <translation>その間にトポロジが変更されました</translation>
    </message>
    <message>
        <source>look at the new one and change that</source>
        <translation>新しいトポロジを確かめてから変更してください</translation>
    </message>
    <message>
        <source>the topology cannot be read</source>
        <translation>トポロジを読めません</translation>
    </message>
    <message>
        <source>no record is kept of this run, by which the policy restart could start it again</source>
        <translation>この実行の記録は残さないため、restart の方針では起動し直せません</translation>
    </message>
    <message>
        <source>choose another policy</source>
        <translation>別の方針を選んでください</translation>
    </message>
    <message>
        <source>nothing is different in the topology</source>
        <translation>トポロジに変わるところがありません</translation>
    </message>
    <message>
        <source>changes the topology</source>
        <translation>トポロジを変更します</translation>
    </message>
    <message>
        <source>an operator&apos;s order cannot be carried out any more: %1</source>
        <translation>操作者の指示はもう実行できません: %1</translation>
    </message>
    <message>
        <source>processor %1 came back, as a standby</source>
        <translation>プロセッサ %1 は待機プロセッサとして復帰しました</translation>
    </message>
    <message>
        <source>subcluster &quot;%1&quot; is down; everything stops, to start again</source>
        <translation>サブクラスター &quot;%1&quot; が停止しました。すべてを止めて起動し直します</translation>
    </message>
    <message>
        <source>subcluster &quot;%1&quot; is down; no new tasks start, the run ends and can be resumed</source>
        <translation>サブクラスター &quot;%1&quot; が停止しました。新しいタスクは始めず、実行を終了します。再開できます</translation>
    </message>
    <message>
        <source>subcluster &quot;%1&quot; is down; no new tasks start, the run ends</source>
        <translation>サブクラスター &quot;%1&quot; が停止しました。新しいタスクは始めず、実行を終了します</translation>
    </message>
    <message>
        <source>processor %1 was late itself: silent processors count as lost %2 ms later</source>
        <translation>プロセッサ %1 自身が遅れたため、応答のないプロセッサを失われたとするのを %2 ミリ秒遅らせます</translation>
    </message>
    <message>
        <source>write what is to run as each rank, world = { command = %1 }</source>
        <translation>各ランクとして実行するものを world = { command = %1 } のように書いてください</translation>
    </message>
    <message>
        <source>command = %1, what the shell is to run as each rank</source>
        <translation>command = %1 (各ランクとしてシェルで実行するもの)</translation>
    </message>
    <message>
        <source>a command between quotation marks</source>
        <translation>引用符で囲んだコマンド</translation>
    </message>
    <message>
        <source>a path between quotation marks</source>
        <translation>引用符で囲んだパス</translation>
    </message>
    <message>
        <source>write names and values, env = { %1 = %2 }</source>
        <translation>名前と値を env = { %1 = %2 } のように書いてください</translation>
    </message>
    <message>
        <source>%1 is no name of a variable</source>
        <translation>%1 は変数名ではありません</translation>
    </message>
    <message>
        <source>expected letters, digits and _, not a digit first</source>
        <translation>英字・数字・_ のみ (先頭は数字以外) が使えます</translation>
    </message>
    <message>
        <source>the command of the world is empty</source>
        <translation>ワールドのコマンドが空です</translation>
    </message>
    <message>
        <source>the command of the world has more than one line</source>
        <translation>ワールドのコマンドが複数行です</translation>
    </message>
    <message>
        <source>write what the shell is to run as each rank, e.g. world = { command = %1 }</source>
        <translation>各ランクとしてシェルで実行するものを書いてください。例: world = { command = %1 }</translation>
    </message>
    <message>
        <source>%1, which no processor holds; resume the run to go on</source>
        <translation>%1 を持つプロセッサがありません。続けるには実行を再開してください</translation>
    </message>
    <message>
        <source>world %1 goes back to its start, as a rank of it was lost</source>
        <translation>ランクが失われたため、ワールド %1 は最初からやり直します</translation>
    </message>
    <message>
        <source>MiB, a whole number from %1 to %2</source>
        <translation>MiB、%1 から %2 までの整数</translation>
    </message>
    <message>
        <source>rank %1 of world %2 goes on where it was lost, at processor %3</source>
        <translation>ワールド %2 のランク %1 は失われたところから、プロセッサ %3 で続行します</translation>
    </message>
    <message>
        <source>its messages are not kept</source>
        <translation>メッセージが保存されていません</translation>
    </message>
    <message>
        <source>what it has sent has not come to other hosts yet</source>
        <translation>送信したものがまだ他のホストに届いていません</translation>
    </message>
    <message>
        <source>a request is under way</source>
        <translation>通信要求が完了していません</translation>
    </message>
    <message>
        <source>its communicators are others than at the first one</source>
        <translation>コミュニケーターが最初の再開点のときと異なります</translation>
    </message>
    <message>
        <source>it writes a file</source>
        <translation>ファイルに書き込み中です</translation>
    </message>
    <message>
        <source>its output goes into a file or to another program</source>
        <translation>出力先がファイルまたは他のプログラムです</translation>
    </message>
    <message>
        <source>it prints more than is kept</source>
        <translation>出力が保存される量を超えています</translation>
    </message>
    <message>
        <source>log_mb has no room for it</source>
        <translation>log_mb の容量が足りません</translation>
    </message>
</context>
<context>
    <name>tasuki::PlanLink</name>
    <message>
        <source>the trace cannot be read: %1</source>
        <translation>トレースを読み込めません: %1</translation>
    </message>
    <message>
        <source>the trace cannot be read a second time</source>
        <translation>トレースをもう一度読み込むことができません</translation>
    </message>
    <message>
        <source>the agent is of an older version, which does not plan for windows</source>
        <translation>エージェントのバージョンが古く、ウィンドウの計画には対応していません</translation>
    </message>
    <message>
        <source>the trace became shorter while it was sent</source>
        <translation>送信中にトレースが短くなりました</translation>
    </message>
    <message>
        <source>allocations that do not belong together</source>
        <translation>対応しない割り当て</translation>
    </message>
</context>
<context>
    <name>tasuki::ProblemBar</name>
    <message>
        <source>What is wrong with the file</source>
        <translation>ファイルの問題点</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>ほか %n 件</numerusform>
        </translation>
    </message>
    <message>
        <source>error: %1</source>
        <translation>エラー: %1</translation>
    </message>
    <message>
        <source>warning: %1</source>
        <translation>警告: %1</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <comment>what is wrong, what to do</comment>
        <translation>%1。%2</translation>
    </message>
</context>
<context>
    <name>tasuki::ProcessorActions</name>
    <message>
        <source>&amp;Drain</source>
        <translation>割り当てを止める(&amp;D)</translation>
    </message>
    <message>
        <source>The processor gets no new work and no seat; what runs on it finishes</source>
        <translation>新しいタスクも席も割り当てません。実行中のものは完了します</translation>
    </message>
    <message>
        <source>&amp;Give work again</source>
        <translation>割り当てを再開(&amp;G)</translation>
    </message>
    <message>
        <source>The processor is no longer drained</source>
        <translation>割り当て停止を解除します</translation>
    </message>
    <message>
        <source>&amp;Stop...</source>
        <translation>終了させる(&amp;S)…</translation>
    </message>
    <message>
        <source>The processor ends; a standby takes its seat</source>
        <translation>プロセッサを終了させ、待機プロセッサが席を引き継ぎます</translation>
    </message>
    <message>
        <source>&amp;Promote</source>
        <translation>マスター候補の先頭へ(&amp;P)</translation>
    </message>
    <message>
        <source>The processor moves to the front of those who become masters</source>
        <translation>マスターになる順番の先頭に移します</translation>
    </message>
    <message>
        <source>It holds %1: a standby takes that over, if there is one, and what runs is run again.</source>
        <translation>%1 を担当しています。待機プロセッサがあれば引き継ぎ、実行中のものは再実行します。</translation>
    </message>
    <message>
        <source>It holds no seat.</source>
        <translation>担当している席はありません。</translation>
    </message>
    <message>
        <source>Stop a processor</source>
        <translation>プロセッサの終了</translation>
    </message>
    <message>
        <source>%1 will end. %2</source>
        <comment>processor, what follows</comment>
        <translation>%1 を終了させます。%2</translation>
    </message>
    <message>
        <source>&amp;Stop it</source>
        <translation>終了させる(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Keep it</source>
        <translation>終了させない(&amp;K)</translation>
    </message>
    <message>
        <source>Change &amp;role</source>
        <translation>役割を変える(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Active...</source>
        <translation>稼働(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Standby...</source>
        <translation>待機(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;I/O...</source>
        <translation>I/O(&amp;I)…</translation>
    </message>
    <message>
        <source>Without a connection to the agent nothing can be ordered.</source>
        <translation>エージェントに接続していないので、指示できません。</translation>
    </message>
    <message>
        <source>%1 becomes: %2. %3</source>
        <comment>processor, role, what follows</comment>
        <translation>%1 の役割を「%2」にします。%3</translation>
    </message>
    <message>
        <source>Change the role of a processor</source>
        <translation>プロセッサの役割を変える</translation>
    </message>
    <message>
        <source>&amp;Change it</source>
        <translation>変える(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Leave it</source>
        <translation>そのままにする(&amp;L)</translation>
    </message>
</context>
<context>
    <name>tasuki::ProcessorPanel</name>
    <message>
        <source>Hosts and ranks</source>
        <translation>ホストとランク</translation>
    </message>
    <message>
        <source>Show only the &amp;tasks of this rank</source>
        <translation>このランクのタスクだけ表示(&amp;T)</translation>
    </message>
    <message>
        <source>Loading...</source>
        <translation>読み込んでいます…</translation>
    </message>
    <message>
        <source>No processor has joined the run.</source>
        <translation>まだプロセッサが参加していません。</translation>
    </message>
</context>
<context>
    <name>tasuki::ProcessorTableModel</name>
    <message>
        <source>Processor</source>
        <translation>プロセッサ</translation>
    </message>
    <message>
        <source>Seat</source>
        <translation>席</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>役割</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状態</translation>
    </message>
    <message>
        <source>Subcluster</source>
        <translation>サブクラスター</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>ユニット</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>ホスト</translation>
    </message>
</context>
<context>
    <name>tasuki::ProcessorTreeModel</name>
    <message>
        <source>Processor</source>
        <translation>プロセッサ</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状態</translation>
    </message>
    <message>
        <source>Slots</source>
        <translation>スロット</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>実行中</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完了</translation>
    </message>
    <message>
        <source>Busy</source>
        <translation>稼働</translation>
    </message>
    <message>
        <source>process %1, incarnation %2</source>
        <translation>プロセス %1、第 %2 代</translation>
    </message>
    <message>
        <source>%1</source>
        <translation>%1</translation>
    </message>
    <message>
        <source>%1 (%2 failed)</source>
        <translation>%1 (失敗 %2)</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>空き</translation>
    </message>
    <message>
        <source>busy</source>
        <translation>稼働中</translation>
    </message>
    <message>
        <source>left</source>
        <translation>離脱</translation>
    </message>
    <message>
        <source>lost: %1</source>
        <translation>喪失: %1</translation>
    </message>
    <message>
        <source>processors lost</source>
        <translation>プロセッサ喪失</translation>
    </message>
</context>
<context>
    <name>tasuki::ProgressStrip</name>
    <message>
        <source>Progress of the run</source>
        <translation>実行の進み具合</translation>
    </message>
    <message>
        <source>%1 of %2 tasks done: %3 succeeded, %4 failed, %5 skipped, %6 cancelled; %7 running, %8 queued, %9 held</source>
        <translation>%2 件中 %1 件が終了: 成功 %3、失敗 %4、スキップ %5、取り消し %6。実行中 %7、待機中 %8、保留中 %9</translation>
    </message>
</context>
<context>
    <name>tasuki::RunFileSource</name>
    <message>
        <source>this is a run file: only an agent takes commands</source>
        <translation>これは実行記録です。操作はエージェントだけが受け付けます</translation>
    </message>
    <message>
        <source>a run file has every command as a whole</source>
        <translation>実行記録にはコマンドの全体があります</translation>
    </message>
</context>
<context>
    <name>tasuki::RunFileWorker</name>
    <message>
        <source>the run file is not open</source>
        <translation>実行記録が開かれていません</translation>
    </message>
    <message>
        <source>Another host may be writing this run; this is as of %1</source>
        <translation>他のホストがこの実行を書き込んでいる可能性があります。表示は %1 の時点です</translation>
    </message>
    <message>
        <source>This is as of %1, written by %2</source>
        <translation>表示は %1 の時点です (書き込み元: %2)</translation>
    </message>
</context>
<context>
    <name>tasuki::RunDocks</name>
    <message>
        <source>Processors</source>
        <translation>プロセッサ</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>詳細</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>イベント</translation>
    </message>
    <message>
        <source>Failovers</source>
        <translation>引き継ぎ</translation>
    </message>
    <message>
        <source>Alarms</source>
        <translation>アラーム</translation>
    </message>
    <message>
        <source>Alarms (%1)</source>
        <translation>アラーム (%1)</translation>
    </message>
</context>
<context>
    <name>tasuki::RunPage</name>
    <message>
        <source>Timeline: attempts by rank and slot</source>
        <translation>タイムライン: ランクとスロットごとの試行</translation>
    </message>
    <message>
        <source>%1: written to %2</source>
        <translation>%1: %2 に書き出しました</translation>
    </message>
    <message>
        <source>Export the timeline</source>
        <translation>タイムラインの書き出し</translation>
    </message>
    <message>
        <source>Picture (*.png)</source>
        <translation>画像 (*.png)</translation>
    </message>
    <message>
        <source>Drawing (*.svg)</source>
        <translation>図 (*.svg)</translation>
    </message>
    <message>
        <source>Export the events</source>
        <translation>イベントの書き出し</translation>
    </message>
    <message>
        <source>Text (*.txt)</source>
        <translation>テキスト (*.txt)</translation>
    </message>
    <message>
        <source>Export the task list</source>
        <translation>タスクリストの書き出し</translation>
    </message>
    <message>
        <source>Task list (*.sh *.txt)</source>
        <translation>タスクリスト (*.sh *.txt)</translation>
    </message>
    <message>
        <source>Document (*.pdf)</source>
        <translation>文書 (*.pdf)</translation>
    </message>
</context>
<context>
    <name>tasuki::RunningPanel</name>
    <message>
        <source>Loading...</source>
        <translation>読み込んでいます…</translation>
    </message>
    <message>
        <source>This run has not told of a topology: a run gets one when it is started with --topology, and tells of it when its processors are there.</source>
        <translation>この実行のトポロジはまだ届いていません。--topology を付けて始めた実行にはトポロジがあり、プロセッサがそろうと届きます。</translation>
    </message>
    <message>
        <source>Running topology, revision %1</source>
        <translation>動作中のトポロジ (第 %1 版)</translation>
    </message>
    <message>
        <source>Running topology</source>
        <translation>動作中のトポロジ</translation>
    </message>
    <message>
        <source>The run was started with %1.</source>
        <translation>この実行は %1 で始められました。</translation>
    </message>
    <message>
        <source>being applied...</source>
        <translation>適用しています…</translation>
    </message>
    <message numerus="yes">
        <source>%n value(s) not applied</source>
        <translation>
            <numerusform>未適用の値 %n 個</numerusform>
        </translation>
    </message>
    <message>
        <source>Change the system as it runs (%1)</source>
        <translation>動作中のシステムを変更します (%1)</translation>
    </message>
    <message>
        <source>Processors (%1)</source>
        <translation>プロセッサ (%1)</translation>
    </message>
    <message>
        <source>Nothing is edited: this is how the system runs.</source>
        <translation>編集していません。システムはこのとおりに動いています。</translation>
    </message>
    <message>
        <source>This is what applying would change in the running system:</source>
        <translation>適用すると、動作中のシステムは次のように変わります:</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>変更点</translation>
    </message>
    <message>
        <source>Changes (+%1 −%2)</source>
        <translation>変更点 (+%1 −%2)</translation>
    </message>
    <message>
        <source>The system did not take the change: %1</source>
        <translation>システムは変更を受け入れませんでした: %1</translation>
    </message>
    <message>
        <source>The system was laid out anew, with other subclusters. What was edited here does not fit any more; Undo shows it again.</source>
        <translation>システムは別のサブクラスターで組み直されました。ここで編集した内容はもう合いません。「元に戻す」でもう一度表示できます。</translation>
    </message>
    <message numerus="yes">
        <source>Others have changed the running system. %n value(s) are shown as they are now:</source>
        <translation>
            <numerusform>動作中のシステムをほかの人が変更しました。%n 個の値をいまのとおりに表示しています:</numerusform>
        </translation>
    </message>
    <message>
        <source>Save the running topology</source>
        <translation>動作中のトポロジを保存</translation>
    </message>
    <message>
        <source>Topologies (*.toml)</source>
        <translation>トポロジ (*.toml)</translation>
    </message>
    <message>
        <source>%1 cannot be saved</source>
        <translation>%1 を保存できません</translation>
    </message>
    <message>
        <source>The topology as it runs is in %1.</source>
        <translation>動作中のトポロジを %1 に保存しました。</translation>
    </message>
    <message>
        <source>The topology is in %1, with what is edited and not applied.</source>
        <translation>トポロジを、未適用の編集も含めて %1 に保存しました。</translation>
    </message>
    <message>
        <source>Apply to the running system</source>
        <translation>動作中のシステムに適用</translation>
    </message>
    <message>
        <source>Ctrl+Return</source>
        <translation>Ctrl+Return</translation>
    </message>
    <message>
        <source>Discard what is not applied</source>
        <translation>未適用の編集を破棄</translation>
    </message>
    <message>
        <source>Save as a file...</source>
        <translation>ファイルに保存…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+S</source>
        <translation>Ctrl+Shift+S</translation>
    </message>
    <message>
        <source>Show what applying changes</source>
        <translation>適用で変わる点を表示</translation>
    </message>
    <message>
        <source>Ctrl+E</source>
        <translation>Ctrl+E</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>適用</translation>
    </message>
    <message numerus="yes">
        <source>The running system has taken %n value(s).</source>
        <translation>
            <numerusform>動作中のシステムに %n 個の値を適用しました。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 (now %2)</source>
        <comment>setting, value</comment>
        <translation>%1 (いま %2)</translation>
    </message>
</context>
<context>
    <name>tasuki::RunningProcessors</name>
    <message>
        <source>Processors</source>
        <translation>プロセッサ</translation>
    </message>
</context>
<context>
    <name>tasuki::RunningTopology</name>
    <message>
        <source>What the run tells of its topology cannot be read.</source>
        <translation>実行から届いたトポロジを読めません。</translation>
    </message>
    <message>
        <source>What the run tells of its topology cannot be read: %1</source>
        <translation>実行から届いたトポロジを読めません: %1</translation>
    </message>
    <message>
        <source>Others have made it %1 meanwhile: decide what shall stand.</source>
        <translation>その間にほかの人が %1 に変更しました。どちらを残すか選んでください。</translation>
    </message>
    <message>
        <source>The system did not take it: %1</source>
        <translation>システムは受け入れませんでした: %1</translation>
    </message>
    <message>
        <source>There is no running system.</source>
        <translation>動作中のシステムがありません。</translation>
    </message>
    <message>
        <source>This is a run file: a topology is changed in a window on the running agent.</source>
        <translation>これは実行記録です。トポロジの変更は、動作中のエージェントに接続したウィンドウで行います。</translation>
    </message>
    <message>
        <source>Without a connection to the agent nothing can be changed.</source>
        <translation>エージェントに接続していないので、変更できません。</translation>
    </message>
    <message>
        <source>What was sent is on its way.</source>
        <translation>送った変更の返事を待っています。</translation>
    </message>
    <message>
        <source>Others have changed the same values: decide first what shall stand.</source>
        <translation>同じ値をほかの人が変更しました。先にどちらを残すか選んでください。</translation>
    </message>
    <message>
        <source>What is wrong with the topology has to be mended first.</source>
        <translation>先にトポロジの誤りを直してください。</translation>
    </message>
    <message>
        <source>Nothing is edited.</source>
        <translation>編集していません。</translation>
    </message>
    <message>
        <source>The agent gave no answer: %1</source>
        <translation>エージェントから応答がありません: %1</translation>
    </message>
</context>
<context>
    <name>tasuki::Session</name>
    <message>
        <source>The record of the run makes no sense: %1</source>
        <translation>実行の記録に矛盾があります: %1</translation>
    </message>
</context>
<context>
    <name>tasuki::SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>設定</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>システムに合わせる</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>ライト</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>ダーク</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>配色</translation>
    </message>
    <message>
        <source>&amp;Colours</source>
        <translation>配色(&amp;C)</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>言語</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>言語(&amp;L)</translation>
    </message>
    <message>
        <source>Time of day</source>
        <translation>時刻</translation>
    </message>
    <message>
        <source>Since the start of the run</source>
        <translation>実行開始からの時間</translation>
    </message>
    <message>
        <source>Times in the timeline</source>
        <translation>タイムラインの時刻</translation>
    </message>
    <message>
        <source>&amp;Times in the timeline</source>
        <translation>タイムラインの時刻(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Ask before running tasks are cancelled</source>
        <translation>実行中のタスクを取り消す前に確認する(&amp;A)</translation>
    </message>
</context>
<context>
    <name>tasuki::SeverityDelegate</name>
    <message>
        <source>&amp;Copy</source>
        <translation>コピー(&amp;C)</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>カンマ区切り (*.csv)</translation>
    </message>
    <message>
        <source>Tab-separated values (*.tsv)</source>
        <translation>タブ区切り (*.tsv)</translation>
    </message>
    <message>
        <source>%1: written to %2</source>
        <translation>%1: %2 に書き出しました</translation>
    </message>
</context>
<context>
    <name>tasuki::ShortcutsDialog</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>キーボードショートカット</translation>
    </message>
    <message>
        <source>What</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>キー</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>タイムライン</translation>
    </message>
    <message>
        <source>Pan</source>
        <translation>移動</translation>
    </message>
    <message>
        <source>Left, Right; Shift: a page</source>
        <translation>←、→ (Shift で 1 画面分)</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>拡大・縮小</translation>
    </message>
    <message>
        <source>+, -; Ctrl+wheel</source>
        <translation>+、-、Ctrl+ホイール</translation>
    </message>
    <message>
        <source>Select in the lane above or below</source>
        <translation>上下の行の試行を選択</translation>
    </message>
    <message>
        <source>Up, Down</source>
        <translation>↑、↓</translation>
    </message>
    <message>
        <source>Select the previous or next attempt</source>
        <translation>前後の試行を選択</translation>
    </message>
    <message>
        <source>Ctrl+Left, Ctrl+Right</source>
        <translation>Ctrl+←、Ctrl+→</translation>
    </message>
    <message>
        <source>First or last of the run</source>
        <translation>実行の先頭・末尾</translation>
    </message>
    <message>
        <source>Home, End</source>
        <translation>Home、End</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>全体を表示</translation>
    </message>
    <message>
        <source>Follow what happens now</source>
        <translation>現在を追う</translation>
    </message>
    <message>
        <source>L or Space</source>
        <translation>L または Space</translation>
    </message>
    <message>
        <source>Details of the selected attempt</source>
        <translation>選択した試行の詳細</translation>
    </message>
    <message>
        <source>Return</source>
        <translation>Return</translation>
    </message>
    <message>
        <source>Cells of the task table</source>
        <translation>タスク表のセル</translation>
    </message>
    <message>
        <source>Take what was typed</source>
        <translation>入力を確定</translation>
    </message>
    <message>
        <source>New line in a command</source>
        <translation>コマンド内で改行</translation>
    </message>
    <message>
        <source>Shift+Return</source>
        <translation>Shift+Return</translation>
    </message>
    <message>
        <source>Leave the cell as it was</source>
        <translation>入力を取りやめる</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
</context>
<context>
    <name>tasuki::StartPage</name>
    <message>
        <source>Watch and steer runs on a cluster.</source>
        <translation>クラスタでの実行を見守り、操作します。</translation>
    </message>
    <message>
        <source>&amp;Open run file...</source>
        <translation>実行記録を開く(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Start a run...</source>
        <translation>実行を開始(&amp;S)…</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>実行</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>ホスト</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状態</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>開始</translation>
    </message>
    <message>
        <source>Running agents</source>
        <translation>動作中のエージェント</translation>
    </message>
    <message>
        <source>&amp;Agents on this host</source>
        <translation>このホストのエージェント(&amp;A)</translation>
    </message>
    <message>
        <source>No agent runs here.

Start a run, and it appears by itself.</source>
        <translation>動いているエージェントはありません。

実行を開始すると、自動的にここに現れます。</translation>
    </message>
    <message>
        <source>Run file</source>
        <translation>実行記録</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>更新</translation>
    </message>
    <message>
        <source>Directory</source>
        <translation>ディレクトリ</translation>
    </message>
    <message>
        <source>Recent run files</source>
        <translation>最近使った実行記録</translation>
    </message>
    <message>
        <source>&amp;Recent run files</source>
        <translation>最近使った実行記録(&amp;R)</translation>
    </message>
    <message>
        <source>No run file was open yet.

Open one, or drop it on this window.</source>
        <translation>まだ実行記録を開いていません。

開くか、このウィンドウにドロップしてください。</translation>
    </message>
    <message>
        <source>&amp;Remove from this list</source>
        <translation>この一覧から外す(&amp;R)</translation>
    </message>
    <message>
        <source>From the command line: start a farm of four ranks, then watch it in this window.</source>
        <translation>コマンドラインから: 次のように 4 ランクの実行を開始すると、このウィンドウで見られます。</translation>
    </message>
    <message>
        <source>Example of a command line</source>
        <translation>コマンドラインの例</translation>
    </message>
    <message>
        <source>unusable</source>
        <translation>利用不可</translation>
    </message>
    <message>
        <source>running</source>
        <translation>実行中</translation>
    </message>
    <message>
        <source>has ended</source>
        <translation>終了</translation>
    </message>
    <message>
        <source>no longer there</source>
        <translation>なくなりました</translation>
    </message>
    <message>
        <source>&amp;Plan a program...</source>
        <translation>プログラムを計画(&amp;P)...</translation>
    </message>
    <message>
        <source>Open a trace of an MPI program and find out which node each of its tasks should run on</source>
        <translation>MPI プログラムのトレースを開き、各タスクをどのノードで実行すべきかを調べます</translation>
    </message>
    <message>
        <source>Edit a topolo&amp;gy...</source>
        <translation>トポロジを編集(&amp;G)…</translation>
    </message>
    <message>
        <source>Say in tables which processors a system consists of, and when one of them counts as lost</source>
        <translation>システムのプロセッサの構成と、喪失とみなす条件を表で決めます</translation>
    </message>
    <message>
        <source>On a&amp;nother host...</source>
        <translation>他のホスト(&amp;N)...</translation>
    </message>
    <message>
        <source>Open a run on another host, over ssh</source>
        <translation>他のホストの実行を ssh 経由で開きます</translation>
    </message>
    <message>
        <source>on another host</source>
        <translation>他のホスト</translation>
    </message>
</context>
<context>
    <name>tasuki::StartRunDialog</name>
    <message>
        <source>Resume a run</source>
        <translation>実行の再開</translation>
    </message>
    <message>
        <source>Try again what has failed</source>
        <translation>失敗したタスクの再試行</translation>
    </message>
    <message>
        <source>Res&amp;ume</source>
        <translation>再開(&amp;U)</translation>
    </message>
    <message>
        <source>Re&amp;try</source>
        <translation>再試行(&amp;T)</translation>
    </message>
    <message>
        <source>Start a run</source>
        <translation>実行を開始</translation>
    </message>
    <message>
        <source>Waiting for the agent</source>
        <translation>エージェントを待っています</translation>
    </message>
    <message>
        <source>&amp;Start</source>
        <translation>開始(&amp;S)</translation>
    </message>
    <message>
        <source>This is run:</source>
        <translation>実行するコマンド:</translation>
    </message>
    <message>
        <source>Copy the command line</source>
        <translation>コマンドラインをコピー</translation>
    </message>
    <message>
        <source>Command line</source>
        <translation>コマンドライン</translation>
    </message>
    <message>
        <source>What the launcher said</source>
        <translation>起動プログラムのメッセージ</translation>
    </message>
    <message>
        <source>The program tasuki-agent was not found, neither beside this one nor in the directories of PATH.</source>
        <translation>tasuki-agent が見つかりません。このプログラムと同じ場所にも、PATH のディレクトリにもありません。</translation>
    </message>
    <message>
        <source>Do tasks again</source>
        <translation>タスクのやり直し</translation>
    </message>
</context>
<context>
    <name>tasuki::SubclusterTableModel</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>empty: %1</source>
        <translation>空: %1</translation>
    </message>
    <message>
        <source>%1
(s)</source>
        <translation>%1
(秒)</translation>
    </message>
    <message>
        <source>%1
(each host)</source>
        <translation>%1
(ホストごと)</translation>
    </message>
    <message>
        <source>Dedicated
master</source>
        <translation>専任
マスター</translation>
    </message>
    <message>
        <source>Only hosts and units can be empty. Ctrl+Delete removes the whole subcluster.</source>
        <translation>空にできるのはホストとユニットだけです。Ctrl+Delete でサブクラスター全体を削除します。</translation>
    </message>
    <message>
        <source>row %1</source>
        <translation>%1 行目</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 の%1</translation>
    </message>
    <message>
        <source>The system runs with %1.</source>
        <translation>システムは %1 で動いています。</translation>
    </message>
    <message>
        <source>Nothing here can be empty while the system runs.</source>
        <translation>システムの動作中は、ここを空にできません。</translation>
    </message>
</context>
<context>
    <name>tasuki::SummaryBar</name>
    <message>
        <source>Summary of the run</source>
        <translation>実行の要約</translation>
    </message>
    <message>
        <source>Rate</source>
        <translation>処理速度</translation>
    </message>
    <message>
        <source>Tasks that got their final outcome, over ten seconds</source>
        <translation>直近 10 秒に終了が確定したタスク</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1 件/秒</translation>
    </message>
    <message>
        <source>Utilisation</source>
        <translation>稼働率</translation>
    </message>
    <message>
        <source>Busy slots of all slots</source>
        <translation>全スロットのうち稼働中の割合</translation>
    </message>
    <message>
        <source>Remaining</source>
        <translation>残り時間</translation>
    </message>
    <message>
        <source>An estimate from the tasks that have ended</source>
        <translation>終了したタスクからの見積もり</translation>
    </message>
    <message>
        <source>Elapsed</source>
        <translation>経過時間</translation>
    </message>
    <message>
        <source>How long the run has lasted, without the time between its lives</source>
        <translation>実行していた時間の合計 (中断していた間を除く)</translation>
    </message>
    <message>
        <source>Data age</source>
        <translation>情報の古さ</translation>
    </message>
    <message>
        <source>How old what is shown is</source>
        <translation>表示が何分前の情報か</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>接続</translation>
    </message>
    <message>
        <source>%1 of %2 done</source>
        <translation>%2 件中 %1 件終了</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>失敗 %1</translation>
    </message>
    <message>
        <source>%1 running</source>
        <translation>実行中 %1</translation>
    </message>
    <message>
        <source>%1 held</source>
        <translation>保留中 %1</translation>
    </message>
</context>
<context>
    <name>tasuki::SystemForm</name>
    <message>
        <source>Heartbeats</source>
        <translation>ハートビート</translation>
    </message>
    <message>
        <source>Every processor says at this interval that it lives. One that is silent for long is a suspect and gets nothing new; after more silence it is killed, and a standby takes its rank over.</source>
        <translation>各プロセッサはこの間隔で生存を知らせます。長く途絶えたプロセッサは疑わしいとみなされ、新しい仕事を受け取りません。さらに途絶えると強制終了され、待機プロセッサがそのランクを引き継ぎます。</translation>
    </message>
    <message>
        <source>Heart&amp;beat</source>
        <translation>ハートビート(&amp;B)</translation>
    </message>
    <message>
        <source>Suspect &amp;after</source>
        <translation>疑わしいとするまで(&amp;A)</translation>
    </message>
    <message>
        <source>L&amp;ost after</source>
        <translation>喪失とするまで(&amp;O)</translation>
    </message>
    <message>
        <source>A subcluster is down</source>
        <translation>サブクラスターの停止</translation>
    </message>
    <message>
        <source>The othe&amp;rs</source>
        <translation>ほかのサブクラスター(&amp;R)</translation>
    </message>
    <message>
        <source>milliseconds</source>
        <translation>ミリ秒</translation>
    </message>
    <message>
        <source>heartbeats, that is %1 ms</source>
        <translation>回 (%1 ミリ秒)</translation>
    </message>
    <message>
        <source>The system runs with %1.</source>
        <translation>システムは %1 で動いています。</translation>
    </message>
    <message>
        <source>%1 (the system runs with %2)</source>
        <translation>%1 (動作中の値は %2)</translation>
    </message>
    <message>
        <source>A processor was cut off</source>
        <translation>プロセッサの切り離し</translation>
    </message>
    <message>
        <source>May &amp;come back as a standby</source>
        <translation>待機プロセッサとして復帰できる(&amp;C)</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>はい</translation>
    </message>
    <message>
        <source>no</source>
        <translation>いいえ</translation>
    </message>
</context>
<context>
    <name>tasuki::SystemTreeModel</name>
    <message>
        <source>Processor</source>
        <translation>プロセッサ</translation>
    </message>
    <message>
        <source>Seat</source>
        <translation>席</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状態</translation>
    </message>
    <message>
        <source>Slots</source>
        <translation>スロット</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>実行中</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完了</translation>
    </message>
    <message>
        <source>Busy</source>
        <translation>使用率</translation>
    </message>
    <message>
        <source>Program, messages</source>
        <translation>プログラム、メッセージ</translation>
    </message>
</context>
<context>
    <name>tasuki::SystemTreeText</name>
    <message>
        <source>%1 of %2 ranks</source>
        <translation>ランク %1/%2</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>how many processors are what, e.g. 2 lost</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 (%2 failed)</source>
        <translation>%1 (失敗 %2)</translation>
    </message>
    <message>
        <source>drained</source>
        <translation>割当停止</translation>
    </message>
    <message>
        <source>#%1</source>
        <comment>incarnation</comment>
        <translation>#%1</translation>
    </message>
    <message>
        <source>Unit %1 of subcluster %2</source>
        <translation>サブクラスター %2 のユニット %1</translation>
    </message>
    <message numerus="yes">
        <source>%n processor(s)</source>
        <translation>
            <numerusform>プロセッサ %n 台</numerusform>
        </translation>
    </message>
    <message>
        <source>process %1</source>
        <translation>プロセス %1</translation>
    </message>
    <message>
        <source>%1, incarnation %2</source>
        <translation>%1、%2 代目</translation>
    </message>
    <message>
        <source>made for: %1</source>
        <translation>本来の役割: %1</translation>
    </message>
    <message>
        <source>%1 since %2</source>
        <comment>health, time</comment>
        <translation>%2 から%1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>what, why</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>drained: gets no new work and no seat</source>
        <translation>割当停止: 新しいタスクも席も割り当てません</translation>
    </message>
    <message>
        <source>Subcluster %1</source>
        <translation>サブクラスター %1</translation>
    </message>
    <message>
        <source>%1 ranks, at least %2; %3 standby, %4 I/O</source>
        <translation>ランク %1 (最小 %2)、待機 %3、I/O %4</translation>
    </message>
    <message>
        <source>%1 held</source>
        <translation>%1 を担当中</translation>
    </message>
    <message>
        <source>heartbeat %1, suspect after %2, lost after %3 heartbeats</source>
        <translation>ハートビート %1、%2 回の欠落で疑わしい、%3 回で喪失</translation>
    </message>
    <message>
        <source>topology: %1</source>
        <translation>トポロジー: %1</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>how many subclusters are down</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>waits in %1</source>
        <comment>a function of MPI</comment>
        <translation>%1 で待機中</translation>
    </message>
    <message>
        <source>computes</source>
        <comment>a program</comment>
        <translation>計算中</translation>
    </message>
    <message>
        <source>after MPI_Finalize</source>
        <translation>MPI_Finalize 後</translation>
    </message>
    <message>
        <source>before MPI_Init</source>
        <translation>MPI_Init 前</translation>
    </message>
    <message>
        <source>%1 compute</source>
        <comment>how many programs</comment>
        <translation>%1 個が計算中</translation>
    </message>
    <message>
        <source>%1 wait</source>
        <comment>how many programs</comment>
        <translation>%1 個が待機中</translation>
    </message>
    <message>
        <source>%1 before MPI_Init</source>
        <comment>how many programs</comment>
        <translation>%1 個が MPI_Init 前</translation>
    </message>
    <message>
        <source>%1 after MPI_Finalize</source>
        <comment>how many programs</comment>
        <translation>%1 個が MPI_Finalize 後</translation>
    </message>
    <message>
        <source>program: %1</source>
        <translation>プログラム: %1</translation>
    </message>
    <message>
        <source>%1, %2/s</source>
        <comment>what a program does, how many messages</comment>
        <translation>%1、%2/秒</translation>
    </message>
    <message>
        <source>replays, %1</source>
        <comment>how far a program has come</comment>
        <translation>再実行中、%1</translation>
    </message>
    <message>
        <source>%1 replay</source>
        <comment>how many programs</comment>
        <translation>再実行 %1</translation>
    </message>
    <message>
        <source>, restart point %1 s ago</source>
        <translation>、再開点は %1 秒前</translation>
    </message>
    <message>
        <source>, no restart point: %1</source>
        <translation>、再開点なし: %1</translation>
    </message>
</context>
<context>
    <name>tasuki::SystemTreeView</name>
    <message>
        <source>System, subclusters, units and processors</source>
        <translation>システム、サブクラスター、ユニット、プロセッサ</translation>
    </message>
    <message>
        <source>Show only the &amp;tasks of this rank</source>
        <translation>このランクのタスクだけ表示(&amp;T)</translation>
    </message>
</context>
<context>
    <name>tasuki::TaskActions</name>
    <message>
        <source>&amp;Add tasks...</source>
        <translation>タスクを追加(&amp;A)…</translation>
    </message>
    <message>
        <source>Ctrl+T</source>
        <translation>Ctrl+T</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>編集(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取り消し(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Hold</source>
        <translation>保留(&amp;H)</translation>
    </message>
    <message>
        <source>Ctrl+H</source>
        <translation>Ctrl+H</translation>
    </message>
    <message>
        <source>&amp;Release</source>
        <translation>保留解除(&amp;R)</translation>
    </message>
    <message>
        <source>Ctrl+Shift+H</source>
        <translation>Ctrl+Shift+H</translation>
    </message>
    <message>
        <source>Re&amp;try</source>
        <translation>再試行(&amp;T)</translation>
    </message>
    <message>
        <source>Ctrl+R</source>
        <translation>Ctrl+R</translation>
    </message>
    <message>
        <source>Run a&amp;gain</source>
        <translation>もう一度実行(&amp;G)</translation>
    </message>
    <message>
        <source>Ctrl+Shift+R</source>
        <translation>Ctrl+Shift+R</translation>
    </message>
    <message>
        <source>Do finished tasks again, however they ended</source>
        <translation>終了したタスクを、結果によらずやり直す</translation>
    </message>
    <message>
        <source>C&amp;opy command</source>
        <translation>コマンドをコピー(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Set for all selected</source>
        <translation>選択したタスクすべてに設定(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Retries...</source>
        <translation>再試行(&amp;R)…</translation>
    </message>
    <message>
        <source>&amp;Time limit...</source>
        <translation>制限時間(&amp;T)…</translation>
    </message>
    <message>
        <source>&amp;Directory...</source>
        <translation>ディレクトリ(&amp;D)…</translation>
    </message>
    <message>
        <source>&amp;Environment...</source>
        <translation>環境変数(&amp;E)…</translation>
    </message>
    <message>
        <source>Cancel tasks</source>
        <translation>タスクの取り消し</translation>
    </message>
    <message numerus="yes">
        <source>%n running task(s) will be killed. Cancel the selected tasks?</source>
        <translation>
            <numerusform>実行中のタスク %n 件が強制終了されます。選択したタスクを取り消しますか?</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Cancel tasks</source>
        <translation>タスクを取り消す(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Keep them</source>
        <translation>やめる(&amp;K)</translation>
    </message>
    <message>
        <source>Stop the run</source>
        <translation>実行の停止</translation>
    </message>
    <message>
        <source>Running tasks will be killed, and nothing new starts. The run can be resumed.</source>
        <translation>実行中のタスクを強制終了し、新しいタスクは始めません。実行は再開できます。</translation>
    </message>
    <message>
        <source>Running tasks finish, and nothing new starts. The run can be resumed.</source>
        <translation>実行中のタスクの終了を待ち、新しいタスクは始めません。実行は再開できます。</translation>
    </message>
    <message>
        <source>&amp;Stop the run</source>
        <translation>実行を停止(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Go on</source>
        <translation>続ける(&amp;G)</translation>
    </message>
    <message numerus="yes">
        <source>For %n selected task(s) (%1):</source>
        <translation>
            <numerusform>選択した %n 件のタスクに設定 (%1):</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n command(s) copied.</source>
        <translation>
            <numerusform>%n 件のコマンドをコピーしました。</numerusform>
        </translation>
    </message>
    <message>
        <source>Do failed, skipped and cancelled tasks again; of a run that has ended, what is left, too</source>
        <translation>失敗・スキップ・取り消しのタスクをやり直す。終了した実行では残りのタスクも</translation>
    </message>
    <message>
        <source>These tasks are in too many separate places for one command. Choose fewer, or such as follow each other.</source>
        <translation>選んだタスクが飛び飛びすぎて 1 つのコマンドに入りません。数を減らすか、連続したタスクを選んでください。</translation>
    </message>
    <message numerus="yes">
        <source>%n of the selected task(s) have succeeded. Do them once more?</source>
        <translation>
            <numerusform>選択したタスクのうち %n 件は成功しています。もう一度実行しますか?</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Do again</source>
        <translation>やり直す(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Leave it</source>
        <translation>やめる(&amp;L)</translation>
    </message>
</context>
<context>
    <name>tasuki::TaskChips</name>
    <message>
        <source>Show tasks in state: %1</source>
        <translation>状態「%1」のタスクを表示</translation>
    </message>
</context>
<context>
    <name>tasuki::TaskDelegate</name>
    <message>
        <source>a shell command</source>
        <translation>シェルのコマンド</translation>
    </message>
    <message>
        <source>2, or exit:2,signal:1,timeout:0,lost:3</source>
        <translation>2、または exit:2,signal:1,timeout:0,lost:3</translation>
    </message>
    <message>
        <source>90s, 10m, 1h30m; empty: no limit</source>
        <translation>90s、10m、1h30m。空: 制限なし</translation>
    </message>
    <message>
        <source>empty: the directory of the run</source>
        <translation>空: 実行のディレクトリ</translation>
    </message>
    <message>
        <source>NAME=value, one a line</source>
        <translation>名前=値、1 行に 1 つ</translation>
    </message>
</context>
<context>
    <name>tasuki::TaskDetails</name>
    <message>
        <source>The output of a running task is with its agent alone.</source>
        <translation>実行中のタスクの出力はエージェントだけが持っています。</translation>
    </message>
    <message>
        <source>The record has no output of this attempt.</source>
        <translation>この試行の出力は記録にありません。</translation>
    </message>
</context>
<context>
    <name>tasuki::TaskDrafts</name>
    <message>
        <source>A run file cannot be edited, only what its agent has.</source>
        <translation>実行記録は編集できません。編集できるのはエージェントの持つタスクだけです。</translation>
    </message>
    <message>
        <source>The run has no such task.</source>
        <translation>この実行にそのタスクはありません。</translation>
    </message>
    <message>
        <source>Only queued and held tasks can be edited.</source>
        <translation>編集できるのは待機中と保留中のタスクだけです。</translation>
    </message>
    <message>
        <source>The command is too long to be edited here.</source>
        <translation>コマンドが長すぎて、ここでは編集できません。</translation>
    </message>
    <message>
        <source>The last change of this task is on its way.</source>
        <translation>このタスクの前回の変更を送信中です。</translation>
    </message>
    <message>
        <source>This has bytes that are not UTF-8: edit it in the task list.</source>
        <translation>UTF-8 でないバイトがあります。タスクリストの方を編集してください。</translation>
    </message>
    <message>
        <source>task %1: %2</source>
        <translation>タスク %1: %2</translation>
    </message>
    <message numerus="yes">
        <source>Edit %n task(s)</source>
        <translation>
            <numerusform>%n 件のタスクの編集</numerusform>
        </translation>
    </message>
    <message>
        <source>Discard changes</source>
        <translation>変更の破棄</translation>
    </message>
    <message>
        <source>Nothing has been edited.</source>
        <translation>編集したものはありません。</translation>
    </message>
    <message>
        <source>The last changes are on their way.</source>
        <translation>前回の変更を送信中です。</translation>
    </message>
    <message>
        <source>Task %1 has a cell that is wrong.</source>
        <translation>タスク %1 に誤りのあるセルがあります。</translation>
    </message>
    <message>
        <source>Task %1: %2</source>
        <translation>タスク %1: %2</translation>
    </message>
    <message>
        <source>There is no connection to the agent.</source>
        <translation>エージェントに接続していません。</translation>
    </message>
    <message>
        <source>The agent refused the change.</source>
        <translation>エージェントが変更を拒否しました。</translation>
    </message>
    <message>
        <source>the command of task %1 is too long to be here as a whole</source>
        <translation>タスク %1 のコマンドは長すぎて全体がここにありません</translation>
    </message>
</context>
<context>
    <name>tasuki::TaskPanel</name>
    <message>
        <source>What is wrong with the current cell</source>
        <translation>現在のセルの問題点</translation>
    </message>
    <message>
        <source>Filter by text or /regular expression/</source>
        <translation>文字列または /正規表現/ で絞り込み</translation>
    </message>
    <message>
        <source>Filter of the task table</source>
        <translation>タスク表の絞り込み</translation>
    </message>
    <message>
        <source>Rank on which tasks ran</source>
        <translation>タスクを実行したランク</translation>
    </message>
    <message>
        <source>All ranks</source>
        <translation>すべてのランク</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>タスク</translation>
    </message>
    <message numerus="yes">
        <source>%Ln task(s)</source>
        <translation>
            <numerusform>%Ln 件</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2 件</translation>
    </message>
    <message>
        <source>Loading...</source>
        <translation>読み込んでいます…</translation>
    </message>
    <message>
        <source>No task fits the filter.</source>
        <translation>条件に合うタスクはありません。</translation>
    </message>
    <message>
        <source>The run has no tasks yet. Add some with Ctrl+T.</source>
        <translation>この実行にはまだタスクがありません。Ctrl+T で追加できます。</translation>
    </message>
    <message>
        <source>The run has no tasks.</source>
        <translation>この実行にはタスクがありません。</translation>
    </message>
    <message>
        <source>Export the task table</source>
        <translation>タスク表の書き出し</translation>
    </message>
    <message>
        <source>The task table is in %1.</source>
        <translation>タスク表を %1 に書き出しました。</translation>
    </message>
</context>
<context>
    <name>tasuki::TimeText</name>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ミリ秒</translation>
    </message>
    <message>
        <source>%1 µs</source>
        <translation>%1 µs</translation>
    </message>
    <message>
        <source>s</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ミリ秒</translation>
    </message>
    <message>
        <source>µs</source>
        <translation>µs</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
</context>
<context>
    <name>tasuki::TimelineScene</name>
    <message>
        <source>Nothing has run yet.
Tasks appear here as they run.</source>
        <translation>まだ何も実行されていません。
タスクが実行されると、ここに現れます。</translation>
    </message>
</context>
<context>
    <name>tasuki::TimelineWidget</name>
    <message>
        <source>Timeline</source>
        <translation>タイムライン</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>ライブ</translation>
    </message>
    <message>
        <source>Follow what happens now (L)</source>
        <translation>現在を追う (L)</translation>
    </message>
    <message>
        <source>Attempts over time, one row for each slot. L follows what happens now.</source>
        <translation>時間に沿った試行。1 行が 1 スロットです。L で現在を追います。</translation>
    </message>
</context>
<context>
    <name>tasuki::TopologyEditors</name>
    <message>
        <source>Subclusters</source>
        <translation>サブクラスター</translation>
    </message>
    <message>
        <source>&amp;Subclusters (%1)</source>
        <translation>サブクラスター(&amp;S) (%1)</translation>
    </message>
    <message>
        <source>S&amp;ystem</source>
        <translation>システム(&amp;Y)</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message numerus="yes">
        <source>%n thing(s) to mend before the system can take the topology</source>
        <translation>
            <numerusform>適用する前に直すことが %n 件あります</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thing(s) to mend before the topology can be saved</source>
        <translation>
            <numerusform>保存する前に直すことが %n 件あります</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tasuki::TopologyPanel</name>
    <message>
        <source>New topology</source>
        <translation>新しいトポロジ</translation>
    </message>
    <message>
        <source>The topology is being read...</source>
        <translation>トポロジを読み込んでいます…</translation>
    </message>
    <message>
        <source>A topology says which processors a system consists of, which of them are standbys, and when one of them counts as lost. Add its first subcluster, or open a file.</source>
        <translation>トポロジは、システムがどのプロセッサで構成され、どれが待機で、いつ喪失とみなすかを決めます。最初のサブクラスターを追加するか、ファイルを開いてください。</translation>
    </message>
    <message>
        <source>There can be %1 subclusters at most.</source>
        <translation>サブクラスターは %1 個までです。</translation>
    </message>
    <message numerus="yes">
        <source>%n subcluster(s) removed.</source>
        <translation>
            <numerusform>%n 個のサブクラスターを削除しました。</numerusform>
        </translation>
    </message>
    <message>
        <source>Open a topology</source>
        <translation>トポロジを開く</translation>
    </message>
    <message>
        <source>Topologies (*.toml)</source>
        <translation>トポロジ (*.toml)</translation>
    </message>
    <message numerus="yes">
        <source>Saving writes the file anew: %n comment(s) of its own would be lost</source>
        <translation>
            <numerusform>保存するとファイル全体を書き直すため、独自のコメント %n 件が失われます</numerusform>
        </translation>
    </message>
    <message>
        <source>Save the topology</source>
        <translation>トポロジを保存</translation>
    </message>
    <message>
        <source>Topology</source>
        <translation>トポロジ</translation>
    </message>
    <message>
        <source>It was not saved: what is said above has to be mended first.</source>
        <translation>保存しませんでした: まず上の内容を直してください。</translation>
    </message>
    <message>
        <source>The topology is in %1.</source>
        <translation>トポロジを %1 に保存しました。</translation>
    </message>
    <message>
        <source>Add a subcluster</source>
        <translation>サブクラスターの追加</translation>
    </message>
    <message>
        <source>Duplicate subclusters</source>
        <translation>サブクラスターを複製</translation>
    </message>
    <message>
        <source>Remove subclusters</source>
        <translation>サブクラスターを削除</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上へ</translation>
    </message>
    <message>
        <source>Alt+Up</source>
        <translation>Alt+Up</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下へ</translation>
    </message>
    <message>
        <source>Alt+Down</source>
        <translation>Alt+Down</translation>
    </message>
    <message>
        <source>Show what saving changes</source>
        <translation>保存で変わる行を表示</translation>
    </message>
    <message>
        <source>Ctrl+E</source>
        <translation>Ctrl+E</translation>
    </message>
    <message>
        <source>File of the topology</source>
        <translation>トポロジのファイル</translation>
    </message>
</context>
<context>
    <name>tasuki::TraceComparison</name>
    <message>
        <source>Two timelines of the tasks</source>
        <translation>タスクの 2 つのタイムライン</translation>
    </message>
</context>
<context>
    <name>tasuki::TraceLegend</name>
    <message>
        <source>hatched: waiting in the call</source>
        <translation>斜線: 呼び出しの中で待機</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>メッセージ</translation>
    </message>
    <message>
        <source>Critical path</source>
        <translation>クリティカルパス</translation>
    </message>
    <message>
        <source>Critical path, condensed: zoom in</source>
        <translation>クリティカルパス (簡略表示)</translation>
    </message>
</context>
<context>
    <name>tasuki::TraceScene</name>
    <message>
        <source>This trace has no tasks.</source>
        <translation>このトレースにはタスクがありません。</translation>
    </message>
    <message>
        <source>Open a trace to see what its tasks did.</source>
        <translation>トレースを開くと、タスクが何をしたかが表示されます。</translation>
    </message>
</context>
<context>
    <name>tasuki::TraceText</name>
    <message>
        <source>%1 µs</source>
        <translation>%1 µs</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ミリ秒</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>task %1</source>
        <translation>タスク %1</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>Computation</source>
        <translation>計算</translation>
    </message>
    <message>
        <source>Send, waiting</source>
        <translation>送信 (待機)</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>送信</translation>
    </message>
    <message>
        <source>Receive, waiting</source>
        <translation>受信 (待機)</translation>
    </message>
    <message>
        <source>Receive</source>
        <translation>受信</translation>
    </message>
    <message>
        <source>Wait, waiting</source>
        <translation>完了待ち (待機)</translation>
    </message>
    <message>
        <source>Wait</source>
        <translation>完了待ち</translation>
    </message>
    <message>
        <source>Collective, waiting</source>
        <translation>集団通信 (待機)</translation>
    </message>
    <message>
        <source>Collective</source>
        <translation>集団通信</translation>
    </message>
    <message>
        <source>Other call, waiting</source>
        <translation>その他の呼び出し (待機)</translation>
    </message>
    <message>
        <source>Other call</source>
        <translation>その他の呼び出し</translation>
    </message>
    <message>
        <source>call</source>
        <translation>呼び出し</translation>
    </message>
    <message>
        <source>to %1, travels %2</source>
        <translation>%1 へ、所要 %2</translation>
    </message>
    <message>
        <source>from %1, travels %2</source>
        <translation>%1 から、所要 %2</translation>
    </message>
    <message>
        <source>to %1: %2 bytes, tag %3, travels %4</source>
        <translation>%1 へ: %2 バイト、タグ %3、所要 %4</translation>
    </message>
    <message>
        <source>from %1: %2 bytes, tag %3, travels %4</source>
        <translation>%1 から: %2 バイト、タグ %3、所要 %4</translation>
    </message>
    <message>
        <source>Begins at %1</source>
        <translation>開始 %1</translation>
    </message>
    <message>
        <source>Takes %1</source>
        <translation>所要 %1</translation>
    </message>
    <message>
        <source>Waits for %1 of it</source>
        <translation>うち待機 %1</translation>
    </message>
    <message>
        <source>and more messages</source>
        <translation>ほかにもメッセージあり</translation>
    </message>
    <message>
        <source>Message from %1 to %2</source>
        <translation>%1 から %2 へのメッセージ</translation>
    </message>
    <message>
        <source>%1 bytes, tag %2</source>
        <translation>%1 バイト、タグ %2</translation>
    </message>
    <message>
        <source>Part of a collective call</source>
        <translation>集団通信の一部</translation>
    </message>
    <message>
        <source>Sent at %1</source>
        <translation>送信 %1</translation>
    </message>
    <message>
        <source>Arrives at %1</source>
        <translation>到着 %1</translation>
    </message>
    <message>
        <source>Travels %1</source>
        <translation>所要 %1</translation>
    </message>
    <message>
        <source>%1: %2 %</source>
        <comment>a kind of call and its part of the time</comment>
        <translation>%1: %2 %</translation>
    </message>
    <message>
        <source>Zoom in to tell them apart</source>
        <translation>拡大すると区別できます</translation>
    </message>
    <message numerus="yes">
        <source>%Ln calls here</source>
        <translation>
            <numerusform>ここに呼び出し %Ln 個</numerusform>
        </translation>
    </message>
    <message>
        <source>On the critical path, which goes to and fro between tasks here too often to be drawn whole: zoom in to see it</source>
        <translation>クリティカルパス上。ここではタスク間の行き来が多く、すべては描けません。拡大すると見えます。</translation>
    </message>
</context>
<context>
    <name>tasuki::TraceTimelineWidget</name>
    <message>
        <source>Timeline of the tasks</source>
        <translation>タスクのタイムライン</translation>
    </message>
    <message>
        <source>Timeline of the tasks: %1</source>
        <translation>タスクのタイムライン: %1</translation>
    </message>
    <message>
        <source>Calls and messages over time, one row for each task. M follows a message.</source>
        <translation>時間に沿った呼び出しとメッセージ。タスクごとに 1 行。M でメッセージをたどります。</translation>
    </message>
</context>
<context>
    <name>tasuki::TraceTitle</name>
    <message numerus="yes">
        <source>%Ln messages; zoom in to see them</source>
        <translation>
            <numerusform>メッセージ %Ln 個 (拡大すると表示)</numerusform>
        </translation>
    </message>
    <message>
        <source>end: %1</source>
        <translation>終了: %1</translation>
    </message>
    <message>
        <source>(%1 % later)</source>
        <translation>(%1 % 遅い)</translation>
    </message>
    <message>
        <source>(%1 % sooner)</source>
        <translation>(%1 % 早い)</translation>
    </message>
</context>
<context>
    <name>tasuki::planner::AgentSearcher</name>
    <message>
        <source>the trace&apos;s file has changed since it was opened: open it again</source>
        <translation>トレースのファイルが開いた後に変更されています。もう一度開いてください</translation>
    </message>
    <message>
        <source>the agent said what makes no sense: allocations of another plan</source>
        <translation>エージェントの応答を解釈できません: 別の計画の割り当てです</translation>
    </message>
</context>
<context>
    <name>tasuki::planner::PlaceChooser</name>
    <message>
        <source>Where a search runs that you start; short ones after an edit run here</source>
        <translation>開始した探索を実行する場所。編集後の短い探索はこのウィンドウで行います</translation>
    </message>
    <message>
        <source>Where to search</source>
        <translation>探索する場所</translation>
    </message>
    <message>
        <source>here</source>
        <translation>このウィンドウ</translation>
    </message>
    <message>
        <source>on %1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
</context>
<context>
    <name>tasuki::planner::PlanPage</name>
    <message>
        <source>replay: causal</source>
        <translation>replay: 因果的</translation>
    </message>
    <message>
        <source>lsmg: as in the paper</source>
        <translation>lsmg: 論文のとおり</translation>
    </message>
    <message>
        <source>How runtimes are predicted</source>
        <translation>実行時間の予測方法</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>モデル</translation>
    </message>
    <message>
        <source>Write &amp;bundle...</source>
        <translation>起動一式を保存(&amp;B)...</translation>
    </message>
    <message>
        <source>Write what mpirun needs to start the program as the selected allocation says</source>
        <translation>選択した割り当てのとおりにプログラムを起動するために mpirun が必要とするファイルを書き出します</translation>
    </message>
    <message>
        <source>&amp;Model:</source>
        <translation>モデル(&amp;M):</translation>
    </message>
    <message>
        <source>the trace</source>
        <translation>トレース</translation>
    </message>
    <message>
        <source>the best allocation</source>
        <translation>最良の割り当て</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>比較の対象</translation>
    </message>
    <message>
        <source>Compare &amp;with:</source>
        <translation>比較の対象(&amp;W):</translation>
    </message>
    <message>
        <source>Critical &amp;path</source>
        <translation>クリティカルパス(&amp;P)</translation>
    </message>
    <message>
        <source>Save the timelines as a picture</source>
        <translation>タイムラインを画像として保存</translation>
    </message>
    <message>
        <source>No trace</source>
        <translation>トレースなし</translation>
    </message>
    <message>
        <source>reading...</source>
        <translation>読み込み中...</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>中止(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Open trace...</source>
        <translation>トレースを開く(&amp;O)...</translation>
    </message>
    <message>
        <source>&amp;Search</source>
        <translation>探索(&amp;S)</translation>
    </message>
    <message>
        <source>Searching...</source>
        <translation>探索中...</translation>
    </message>
    <message>
        <source>Search to see how long the program would take under each allocation of its tasks to nodes.</source>
        <translation>探索すると、タスクのノードへの割り当てごとにプログラムの所要時間が表示されます。</translation>
    </message>
    <message>
        <source>%1 of %2 allocations</source>
        <translation>割り当て %2 通りのうち %1 通り</translation>
    </message>
    <message>
        <source>The trace cannot be used</source>
        <translation>このトレースは使えません</translation>
    </message>
    <message numerus="yes">
        <source>%n note(s) on the trace</source>
        <translation>
            <numerusform>トレースについての注意 %n 件</numerusform>
        </translation>
    </message>
    <message>
        <source>As traced</source>
        <translation>トレースのとおり</translation>
    </message>
    <message>
        <source>The best: %1</source>
        <translation>最良: %1</translation>
    </message>
    <message>
        <source>Predicted: %1</source>
        <translation>予測: %1</translation>
    </message>
    <message>
        <source>Open measured runtimes</source>
        <translation>実測時間を開く</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>表 (*.csv)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>すべてのファイル (*)</translation>
    </message>
    <message numerus="yes">
        <source>Measured runtimes of %n allocation(s)</source>
        <translation>
            <numerusform>割り当て %n 通りの実測時間</numerusform>
        </translation>
    </message>
    <message>
        <source>The measured runtimes cannot be used</source>
        <translation>この実測時間は使えません</translation>
    </message>
    <message>
        <source>Write the bundle into a folder</source>
        <translation>起動一式をフォルダーに保存</translation>
    </message>
    <message>
        <source>The bundle was not written</source>
        <translation>起動一式を保存できませんでした</translation>
    </message>
    <message>
        <source>The bundle is written; start the program with %1</source>
        <translation>起動一式を保存しました。%1 でプログラムを起動してください</translation>
    </message>
    <message>
        <source>Save the timelines</source>
        <translation>タイムラインを保存</translation>
    </message>
    <message>
        <source>Pictures (*.png *.svg *.pdf)</source>
        <translation>画像 (*.png *.svg *.pdf)</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 を保存しました</translation>
    </message>
    <message>
        <source>The picture was not saved</source>
        <translation>画像を保存できませんでした</translation>
    </message>
    <message>
        <source>Open a trace to see what its tasks did.</source>
        <translation>トレースを開くと、タスクが何をしたかが表示されます。</translation>
    </message>
    <message>
        <source>Select an allocation to see what the tasks would do.</source>
        <translation>割り当てを選択すると、タスクの予測された動きが表示されます。</translation>
    </message>
    <message>
        <source>Mess&amp;ages</source>
        <translation>メッセージ(&amp;A)</translation>
    </message>
    <message>
        <source>Search here</source>
        <translation>このウィンドウで探索</translation>
    </message>
    <message>
        <source>Sea&amp;rch:</source>
        <translation>探索場所(&amp;R):</translation>
    </message>
    <message>
        <source>sending, %p%</source>
        <translation>送信中 %p%</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>待機中</translation>
    </message>
    <message>
        <source>reading</source>
        <translation>読み込み中</translation>
    </message>
    <message>
        <source>The agent works out other plans first</source>
        <translation>エージェントは先に別の計画を処理しています</translation>
    </message>
    <message>
        <source>The agent did not search to the end</source>
        <translation>エージェントは探索を最後まで行いませんでした</translation>
    </message>
    <message>
        <source>%1 tasks, %2 records, %3 as traced</source>
        <translation>タスク %1 個、記録 %2 件、トレースでは %3</translation>
    </message>
    <message>
        <source>The best so far: %1</source>
        <translation>ここまでの最良: %1</translation>
    </message>
</context>
<context>
    <name>tasuki::planner::PlanSession</name>
    <message>
        <source>Open a trace first.</source>
        <translation>まずトレースを開いてください。</translation>
    </message>
    <message>
        <source>The environment has no nodes yet.</source>
        <translation>環境にまだノードがありません。</translation>
    </message>
    <message>
        <source>The trace has %1 tasks, but the nodes have %2 slots: add nodes or raise their slots.</source>
        <translation>トレースのタスクは %1 個ですが、ノードのスロットは %2 個です。ノードを追加するか、スロットを増やしてください。</translation>
    </message>
</context>
<context>
    <name>tasuki::AskPassDialog</name>
    <message>
        <source>Tasuki: ssh asks</source>
        <translation>Tasuki: ssh からの質問</translation>
    </message>
    <message>
        <source>&amp;Yes, connect</source>
        <translation>はい、接続する(&amp;Y)</translation>
    </message>
    <message>
        <source>&amp;No</source>
        <translation>いいえ(&amp;N)</translation>
    </message>
    <message>
        <source>Answer to ssh</source>
        <translation>ssh への答え</translation>
    </message>
</context>
<context>
    <name>tasuki::SshProcess</name>
    <message>
        <source>ssh cannot be started: %1</source>
        <translation>ssh を起動できません: %1</translation>
    </message>
    <message>
        <source>%1: there is no %2 in the PATH there; the variable TASUKI_REMOTE_AGENT says where it is</source>
        <translation>%1: そのホストの PATH に %2 がありません。場所は環境変数 TASUKI_REMOTE_AGENT で指定できます</translation>
    </message>
    <message>
        <source>%1: the connection has ended</source>
        <translation>%1: 接続が終了しました</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>tasuki::LaunchForm</name>
    <message>
        <source>Farm: run the commands of a task list</source>
        <translation>farm: タスクリストのコマンドを実行</translation>
    </message>
    <message>
        <source>Serve: stay up for tasks that are added later</source>
        <translation>serve: 後から追加されるタスクを待つ</translation>
    </message>
    <message>
        <source>Merge: files of lines key and value into one</source>
        <translation>merge: キーと値の行からなるファイルを一つにまとめる</translation>
    </message>
    <message>
        <source>Probe: measure nodes and links, for a plan</source>
        <translation>probe: 計画のためにノードとリンクを測定</translation>
    </message>
    <message>
        <source>What is started</source>
        <translation>開始するもの</translation>
    </message>
    <message>
        <source>St&amp;art</source>
        <translation>開始するもの(&amp;A)</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>タスク</translation>
    </message>
    <message>
        <source>Browse...</source>
        <translation>参照…</translation>
    </message>
    <message>
        <source>Browse: %1</source>
        <translation>参照: %1</translation>
    </message>
    <message>
        <source>&amp;Task list</source>
        <translation>タスクリスト(&amp;T)</translation>
    </message>
    <message>
        <source>Task list</source>
        <translation>タスクリスト</translation>
    </message>
    <message>
        <source>a file with one command a line; drop it here</source>
        <translation>1 行に 1 コマンドのファイル (ここにドロップできます)</translation>
    </message>
    <message>
        <source>&amp;Files</source>
        <translation>ファイル(&amp;F)</translation>
    </message>
    <message>
        <source>Files to merge</source>
        <translation>マージするファイル</translation>
    </message>
    <message>
        <source>files of lines key&lt;TAB&gt;value</source>
        <translation>キー&lt;TAB&gt;値 の行からなるファイル</translation>
    </message>
    <message>
        <source>What becomes of several values of one key</source>
        <translation>一つのキーに複数の値があるときの扱い</translation>
    </message>
    <message>
        <source>La&amp;w</source>
        <translation>規則(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Output</source>
        <translation>出力(&amp;O)</translation>
    </message>
    <message>
        <source>File that is written</source>
        <translation>書き込むファイル</translation>
    </message>
    <message>
        <source>Working &amp;directory</source>
        <translation>作業ディレクトリ(&amp;D)</translation>
    </message>
    <message>
        <source>Working directory</source>
        <translation>作業ディレクトリ</translation>
    </message>
    <message>
        <source>&amp;Hosts</source>
        <translation>ホスト(&amp;H)</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>ホスト</translation>
    </message>
    <message>
        <source>node0:4,node1:8 or a hostfile; empty: this host, or those of the job</source>
        <translation>node0:4,node1:8 またはホストファイル。空: このホスト、またはジョブのホスト</translation>
    </message>
    <message>
        <source>&amp;mpirun options</source>
        <translation>mpirun のオプション(&amp;M)</translation>
    </message>
    <message>
        <source>Options of mpirun</source>
        <translation>mpirun のオプション</translation>
    </message>
    <message>
        <source>e.g. --map-by node --bind-to none</source>
        <translation>例: --map-by node --bind-to none</translation>
    </message>
    <message>
        <source>To&amp;pology</source>
        <translation>トポロジ(&amp;P)</translation>
    </message>
    <message>
        <source>Topology</source>
        <translation>トポロジ</translation>
    </message>
    <message>
        <source>subclusters and standbys (*.toml); empty: one subcluster of all</source>
        <translation>サブクラスタと待機 (*.toml)。空: 全体で一つのサブクラスタ</translation>
    </message>
    <message>
        <source>Run fil&amp;e</source>
        <translation>実行記録(&amp;E)</translation>
    </message>
    <message>
        <source>Run file</source>
        <translation>実行記録</translation>
    </message>
    <message>
        <source>Retries</source>
        <translation>再試行</translation>
    </message>
    <message>
        <source>Time &amp;limit</source>
        <translation>制限時間(&amp;L)</translation>
    </message>
    <message>
        <source>Time limit</source>
        <translation>制限時間</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>ランク数</translation>
    </message>
    <message>
        <source>Slots of each rank</source>
        <translation>各ランクのスロット数</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>自動</translation>
    </message>
    <message>
        <source>Tasks that a rank runs at a time; auto: the cores of the host, divided among its ranks</source>
        <translation>ランクが同時に実行するタスクの数。自動: ホストのコア数をランクで分けます</translation>
    </message>
    <message>
        <source>Slots of ea&amp;ch</source>
        <translation>各スロット数(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Ranks</source>
        <translation>ランク数(&amp;R)</translation>
    </message>
    <message>
        <source>Choose a task list</source>
        <translation>タスクリストを選択</translation>
    </message>
    <message>
        <source>Choose the files to merge</source>
        <translation>マージするファイルを選ぶ</translation>
    </message>
    <message>
        <source>Choose the file that is written</source>
        <translation>書き込むファイルを選ぶ</translation>
    </message>
    <message>
        <source>Choose a directory</source>
        <translation>ディレクトリを選択</translation>
    </message>
    <message>
        <source>Choose a hostfile</source>
        <translation>ホストファイルを選ぶ</translation>
    </message>
    <message>
        <source>Choose a topology</source>
        <translation>トポロジを選ぶ</translation>
    </message>
    <message>
        <source>the tasks as they are recorded</source>
        <translation>記録にあるタスクのまま</translation>
    </message>
    <message>
        <source>%1, and what waits for them; nothing else is run</source>
        <translation>%1 と、それを待つタスクだけを実行</translation>
    </message>
    <message>
        <source>The topology says it.</source>
        <translation>トポロジで決まります。</translation>
    </message>
    <message>
        <source>Retr&amp;ies</source>
        <translation>再試行(&amp;I)</translation>
    </message>
    <message>
        <source>Rank 0 onl&amp;y schedules</source>
        <translation>ランク 0 は割り当て専用(&amp;Y)</translation>
    </message>
</context>
<context>
    <name>tasuki::OpenRemoteDialog</name>
    <message>
        <source>Open a run on another host</source>
        <translation>他のホストの実行を開く</translation>
    </message>
    <message>
        <source>The run is shown over ssh, living or ended. On the other host tasuki-agent must be installed; nothing else is needed there.</source>
        <translation>実行中でも終了後でも、ssh 経由で表示します。相手のホストに必要なのは tasuki-agent だけです。</translation>
    </message>
    <message>
        <source>host, user@host or a name from ~/.ssh/config</source>
        <translation>ホスト、ユーザー@ホスト、または ~/.ssh/config の名前</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>ホスト</translation>
    </message>
    <message>
        <source>&amp;Host</source>
        <translation>ホスト(&amp;H)</translation>
    </message>
    <message>
        <source>/path/run.tasuki, or ~/run.tasuki below your home directory</source>
        <translation>/パス/run.tasuki、またはホームの下の ~/run.tasuki</translation>
    </message>
    <message>
        <source>Run file there</source>
        <translation>そのホストの実行記録</translation>
    </message>
    <message>
        <source>&amp;Run file there</source>
        <translation>そのホストの実行記録(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>開く(&amp;O)</translation>
    </message>
    <message>
        <source>Name the whole path, from / or from ~/ on.</source>
        <translation>/ または ~/ から始まる全体のパスを書いてください。</translation>
    </message>
</context>
<context>
    <name>Phrase</name>
    <message>
        <source>no agent works on this run: what is shown is its record</source>
        <translation>この実行を進めているエージェントはありません。表示しているのは記録です</translation>
    </message>
</context>
</TS>
