/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The protocol of docs/membership.md, for spin: no two may act, no two hold a seat. tests/model/run says
 * with which options it is searched.
 *
 * What is abstracted, and why nothing is lost by it:
 *  - One process chooses the next event; each event is atomic, as each membership agent runs on one thread and
 *    looks at its clock when it acts. Who takes no step for any time is paused.
 *  - Time are ticks. All ages saturate at NEVER: nothing depends on how much older something is. The
 *    spans are 10 T = 1, 25 T = 2, 30 T = 3 ticks; "followed alone" is as short as the proof allows (35
 *    T, more than 3 ticks), so that every shorter span is a mutant. Clocks of one rate: the margins for
 *    other rates (38 for 35, 30 for 25) are not part of this model.
 *  - A stamp is a bit of its maker's history, and may be acknowledged as long as it is remembered: this
 *    is loss, delay, reordering and repetition at once, as only newer stamps replace older ones. Of its age
 *    all is known: who knows less is bound longer, and gives no more. With PROMPT it is acknowledged in the
 *    tick in which it is made, or never; a later acknowledgement would give no more, except that it may be
 *    given alone: that is `reconsiders`.
 *    An acknowledgement is known at once, but looked at only at some time: as only the newest counts,
 *    this is the same as a later arrival of all of them. One that is lost binds only who gave it.
 *  - Cuts are a kind of loss, and need no event. Whom somebody takes for away is free: anybody may lead
 *    or follow at any time. The tree between is left out: it is delay.
 *  - Who is suspended and who has lapsed are one: both have to be trusted to lead again.
 *  - There is one subcluster. TABLES are those that were written, at most NT of them: of each processor it
 *    is known which system table and which cluster table it has, and both may come without the other one.
 */
#ifndef NP
#define NP 3 /* processors; all vote at the start */
#endif
#ifndef NC
#define NC 2 /* of them, who may lead: the first of each host */
#endif
#ifndef CRASHES
#define CRASHES 0
#endif
#ifndef TRUST
#define TRUST 1
#endif
#ifndef REGAIN
#define REGAIN TRUST /* so old may the words be by which who has lapsed gets a grant again */
#endif
#ifndef LEASE
#define LEASE 2
#endif
#ifndef GRANT
#define GRANT 3 /* of who follows */
#endif
#ifndef WAIT
#define WAIT 3 /* a seat is given on when more ticks than these have passed: it was silent for one before */
#endif
#ifndef ALONE
#define ALONE 3 /* more ticks than these */
#endif
#ifndef NT
#define NT 5 /* tables that are written, with the first one */
#endif
#define NEVER 4 /* also of ages that must not end: > ALONE, LEASE, GRANT, WAIT, TRUST */
#define ALL ((1 << NP) - 1)
#define W(p, c) w[(p) * NC + (c)]
#define A(p, c) a[(p) * NC + (c)]
#define K(p, c) k[(p) * NC + (c)]
#define BIT(p) (1 << (p))
#define HAS(set, p) (((set) >> (p)) & 1)
/* What is older than all that is asked of it is NEVER. */
#define INC(x, most) x = ((x) < (most) -> (x) + 1 : NEVER)
#define OLDEST_SOLE (REGAIN > TRUST -> REGAIN : TRUST)
#ifdef SEATS
#define OLDEST_GRANT GRANT
#else
#define OLDEST_GRANT LEASE
#endif

byte w[NP * NC]; /* age of the newest stamp that p acknowledged of c */
byte a[NP * NC]; /* age of the newest stamp that p acknowledged of c, for as long as it binds */
byte k[NP * NC]; /* age of the newest stamp that p acknowledged following c alone */
byte g[NP];      /* age of the grant */
byte hist[NC];   /* in which of the last ticks c stamped */
byte follows[NP];
byte ended;      /* processes that are no more */
byte fenced;     /* they have no place, and vote */
byte lapsed;     /* of leaders: may get a grant by trust only */
byte leads;
#if CRASHES > 0
byte crashes;
byte seen[NC];   /* whose end c has seen */
byte since[NC];  /* how long ago that was */
#endif
#ifdef RENOUNCE
byte forgettable[NC]; /* whose newest acknowledgement of c is renounced */
byte gave[NC];        /* how long ago c gave a grant by its own stamps */
#endif
#ifdef TABLES
byte tables = 1;
short key[NT];   /* version: generation, place of the writer, revision */
byte lost[NT];   /* those whose first life is over */
byte back[NT];   /* those that are in their second one */
byte voters[NT];
byte toBe[NT];
byte writer[NT];
byte sys[NP];    /* which system table p has */
byte clu[NP];    /* and which cluster table */
byte named[NC];  /* the system table that the newest stamps of c name */
byte current[NC]; /* whose system table has not changed since it acknowledged c */
short heard[NP];  /* the latest version that p has heard of, also of one that is to be written */
short next[NC];  /* what c says that it will write */
byte life2;      /* who is in its second life */
byte fresh[NC];  /* who has acknowledged c since the voters to be stood in the table */
byte freshAlone[NC];
byte marked;     /* which c wait for that */
#else
byte established;
#endif
#ifdef SEATS
#define X (NP - 1) /* holds the seat */
#define Y (NP - 2) /* gets it */
byte l[NP];      /* age of the lease */
byte seat[NT];   /* 0: X holds it, 1: X is condemned, 2: Y holds it */
byte waited;     /* since X was condemned */
#endif

byte i, j, n, m, best; /* scratch within one event */
short v;

#define UP(p) (!HAS(ended, p))
#define MEMBER(p) (!HAS(ended | fenced, p))
#define VALID(c) (MEMBER(c) && HAS(leads, c) && !HAS(lapsed, c) && g[c] <= LEASE)
#ifdef TABLES
#define LIVES(t, p) (!HAS(lost[t], p) || HAS(back[t], p))
#define OVER(t, p) (HAS(lost[t], p) && !(HAS(back[t], p) && HAS(life2, p)))
#define PLACE(t, p) (HAS(back[t], p) -> (p) + NC : (p))
#define IS_BEFORE(t, p, c) ((p) < NC && (p) != (c) && LIVES(t, p) && PLACE(t, p) < PLACE(t, c))
#if NC > 2
#define TOP(c) (!IS_BEFORE(clu[c], 0, c) && !IS_BEFORE(clu[c], 1, c) && !IS_BEFORE(clu[c], 2, c))
#else
#define TOP(c) (!IS_BEFORE(clu[c], 0, c) && !IS_BEFORE(clu[c], 1, c))
#endif
#define ACTS(c) (VALID(c) && TOP(c))
#else
#define ACTS(c) (VALID(c) && HAS(established, c))
#endif

/* Of whom a majority counts: who has ended counts among those that must follow alone for a while. */
#if CRASHES > 0
#ifdef M_ENDED_AT_ONCE
#define COUNTED(c, sole) (~seen[c])
#else
#define COUNTED(c, sole) (((sole) && since[c] <= ALONE) -> ALL : (~seen[c]))
#endif
#else
#define COUNTED(c, sole) ALL
#endif

/* In v: the age that a majority of a group has, of stamps acknowledged, alone or not; NEVER: none. On a
 * tie the side of its lowest. */
inline majority(sole, leader, group)
{
    v = 0;
    do
    :: v >= NEVER -> break
    :: else ->
        n = 0; m = 0; j = NP;
        i = 0;
        do
        :: i < NP ->
            if
            :: HAS((group) & (COUNTED(leader, sole)), i) ->
                m++;
                j = (j == NP -> i : j);
                n = n + (((sole) -> K(i, leader) : W(i, leader)) <= v)
            :: else
            fi;
            i++
        :: else -> break
        od;
        if
        :: 2 * n > m -> break
#ifdef M_TIE_BOTH
        :: 2 * n == m && m > 0 -> break
#else
        :: (2 * n == m && m > 0 && ((sole) -> K(j, leader) : W(j, leader)) <= v) -> break
#endif
        :: else -> v++
        fi
    od;
    i = 0; j = 0; n = 0; m = 0
}

/* In best: the age by all majorities that c needs. */
inline counted(sole, whom)
{
#ifdef TABLES
    majority(sole, whom, voters[sys[whom]]);
    best = v;
    if
    :: toBe[sys[whom]] != 0 -> majority(sole, whom, toBe[sys[whom]]); best = (v > best -> v : best)
    :: else
    fi;
#else
    majority(sole, whom, ALL);
    best = v;
#endif
    v = 0
}

/* Whether what one has acknowledged of another one is over, or counts for who goes on for it. */
#if defined(TABLES) && defined(M_BURIED_COUNT_FOR_WRITER)
#define DIVIDES(one, of, lead) (!(!LIVES(clu[one], of) && writer[clu[one]] == (lead)))
#elif defined(TABLES) && CRASHES > 0
#define DIVIDES(one, of, lead) (!(!LIVES(clu[one], of) && writer[clu[one]] == (lead) && HAS(ended, of)))
#else
#define DIVIDES(one, of, lead) true
#endif

inline alone(one, other) /* in n */
{
    n = 1; i = 0;
    do
    :: i < NC -> n = n && (i == (other) || A(one, i) > ALONE || !DIVIDES(one, i, other)); i++
    :: else -> break
    od;
    i = 0
#ifdef M_ALWAYS_ALONE
    ;
    n = 1
#endif
}

#ifdef TABLES
#define LATEST(p) (heard[p] > key[sys[p]] -> (heard[p] > key[clu[p]] -> heard[p] : key[clu[p]]) : (key[sys[p]] > key[clu[p]] -> key[sys[p]] : key[clu[p]]))
#define BEYOND(version, p) ((((version) >> 6) + 1) << 6 | PLACE(clu[p], p) << 3)
#ifdef M_REGAINS_UNANNOUNCED
#define ANNOUNCES(c) (!TOP(c))
#else
#define ANNOUNCES(c) (!TOP(c) || HAS(lapsed, c))
#endif
#ifdef M_REJOIN_WITHOUT_GENERATION
#define SAYS_GENERATION(p) (!HAS(fenced, p))
#else
#define SAYS_GENERATION(p) true
#endif

/* What c will write when it is trusted comes after all that it knows of, and those that follow it know. */
inline announce(c)
{
#ifdef M_NO_GENERATIONS
    next[c] = BEYOND(key[sys[c]] > key[clu[c]] -> key[sys[c]] : key[clu[c]], c);
#else
    v = LATEST(c);
    next[c] = (next[c] >= v && next[c] != 0 -> next[c] : BEYOND(v, c));
    v = 0
#endif
}

inline exchangeGenerations(p, c)
{
#ifdef M_NO_GENERATIONS
    skip
#else
    v = LATEST(p);
    heard[c] = (v > heard[c] && SAYS_GENERATION(p) -> v : heard[c]);
    v = LATEST(c);
    heard[p] = (v > heard[p] -> v : heard[p]);
    v = 0;
    if
    :: ANNOUNCES(c) -> announce(c); heard[p] = (next[c] > heard[p] -> next[c] : heard[p])
    :: else
    fi
#endif
}
#endif

inline acknowledge(who, lead, age)
{
    W(who, lead) = (age);
#ifdef M_AGE_TOO_GREAT
    A(who, lead) = ((age) < ALONE -> (age) + 1 : NEVER);
#else
    A(who, lead) = (age);
#endif
    alone(who, lead);
    K(who, lead) = (n -> (age) : K(who, lead));
#ifdef TABLES
    current[lead] = current[lead] | BIT(who);
    fresh[lead] = fresh[lead] | BIT(who);
    freshAlone[lead] = (n -> freshAlone[lead] | BIT(who) : freshAlone[lead]);
#endif
    n = 0;
#ifdef RENOUNCE
    forgettable[lead] = forgettable[lead] & ~BIT(who);
#endif
    follows[who] = lead
}

inline stopLeading(former)
{
    leads = leads & ~BIT(former)
#ifndef TABLES
    ;
    established = established & ~BIT(former)
#endif
}

#ifdef TABLES
/* A table that goes on from those that c has; what is different is to be said next. */
inline begin(c) /* its version is v */
{
    key[tables] = v;
    v = 0;
    lost[tables] = lost[clu[c]];
    back[tables] = back[clu[c]];
    voters[tables] = voters[sys[c]];
    toBe[tables] = toBe[sys[c]];
    writer[tables] = c;
#ifdef SEATS
    seat[tables] = seat[clu[c]];
#endif
}
inline publishCluster(c)
{
    clu[c] = tables
}
inline publishSystem(c)
{
    sys[c] = tables;
    dropCurrent(c)
}
inline dropCurrent(c)
{
    j = 0;
    do
    :: j < NC -> current[j] = current[j] & ~BIT(c); j++
    :: else -> break
    od;
    j = 0
}
#define SYSTEM_VERSION(c) (writer[sys[c]] == (c) -> key[sys[c]] + 1 : BEYOND(key[sys[c]], c))
#define CLUSTER_VERSION(c) (writer[clu[c]] == (c) -> key[clu[c]] + 1 : BEYOND(key[clu[c]], c))
#define MAY_WRITE(version) (tables < NT && ((version) & 7) != 7)

inline giveUp(p)
{
    fenced = fenced | BIT(p);
    if
    :: p < NC -> stopLeading(p)
    :: else
    fi
}

inline adoptSystem(to, from)
{
    sys[to] = sys[from];
    dropCurrent(to);
    if
    :: to < NC ->
#ifndef M_FORMER_STEP_COUNTS
        marked = marked & ~BIT(to)
#endif
    :: else
    fi
}

inline adoptCluster(to, from)
{
    clu[to] = clu[from];
#ifndef M_LOST_GO_ON
    if
    :: OVER(clu[to], to) -> giveUp(to)
    :: else
    fi
#endif
}
#endif

inline tick()
{
    i = 0;
    do
    :: i < NP * NC -> INC(w[i], LEASE); INC(a[i], ALONE); INC(k[i], OLDEST_SOLE); i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < NP ->
        INC(g[i], OLDEST_GRANT);
#ifdef SEATS
        INC(l[i], LEASE);
#endif
        i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < NC ->
#ifdef PROMPT
        hist[i] = 0;
#else
        hist[i] = (hist[i] << 1) & ((1 << (LEASE + 1)) - 1);
#endif
#if CRASHES > 0
        INC(since[i], ALONE);
#endif
#ifdef RENOUNCE
        INC(gave[i], ALONE);
#endif
#ifndef M_LAPSED_REGAINS
#ifdef M_SUSPENDED_REGAINS
        if /* it may have been paused: then it is suspended, and regains like a follower */
        :: g[i] > LEASE && HAS(leads, i) && (hist[i] & 2) -> lapsed = lapsed | BIT(i)
        :: else
        fi;
#else
        if
        :: g[i] > LEASE && HAS(leads, i) -> lapsed = lapsed | BIT(i)
        :: else
        fi;
#endif
#endif
        i++
    :: else -> break
    od;
#ifdef SEATS
    INC(waited, WAIT);
#endif
    i = 0
}

#ifdef M_NO_GRANT_FOR_SEATS
#define HOLDS(p) (l[p] <= LEASE)
#else
#define HOLDS(p) (l[p] <= LEASE && g[p] <= GRANT)
#endif
inline check()
{
    n = 0; i = 0;
    do
#ifdef M_SUSPENDED_ACTS
    :: i < NC -> n = n + (MEMBER(i) && HAS(established, i)); i++
#else
    :: i < NC -> n = n + ACTS(i); i++
#endif
    :: else -> break
    od;
    assert(n <= 1); /* two act */
    i = 0; n = 0;
#ifdef SEATS
    assert(!(MEMBER(X) && seat[clu[X]] == 0 && HOLDS(X) && MEMBER(Y) && seat[clu[Y]] == 2 && HOLDS(Y)));
#endif
}

#ifdef SEATS
#ifdef M_CANDIDATE_GRANTS_ALL
#define MAY_TAKE(p, c) true
#elif defined(M_GRANTS_BEFORE_TABLES)
#define MAY_TAKE(p, c) (TOP(c) || !BURIED_BY(p, c))
#else
#define MAY_TAKE(p, c) ((TOP(c) && sys[p] == sys[c]) || (!TOP(c) && !BURIED_BY(p, c) && sys[p] == sys[c]))
#endif
#ifdef X_WITH_FIRST /* X is of the unit of processor 0, and buried with it */
#define BURIES_X (seat[tables] < 2 && IS_BEFORE(clu[c], 0, c))
#define BURIED_BY(p, c) ((p) == X && (c) != 0)
#else
#define BURIES_X false
#define BURIED_BY(p, c) false
#endif
#else
#define MAY_TAKE(p, c) true
#endif
/* c looks at who follows it: its grant, and whether it is trusted. It does so whenever that may change something: a
 * grant that it has forbids nothing. */
#ifdef M_TRUST_BY_FOLLOWERS
#define SOLE 0
#else
#define SOLE 1
#endif
inline countsFollowers(c)
{
#ifndef TABLES
    counted(SOLE, c);
    if
    :: best <= TRUST && HAS(leads, c) -> established = established | BIT(c)
    :: else
    fi;
    if
    :: best <= REGAIN && HAS(leads, c) -> lapsed = lapsed & ~BIT(c); g[c] = (best < g[c] -> best : g[c])
    :: else
    fi;
#endif
    counted(0, c);
    if
    :: !HAS(lapsed, c) && HAS(leads, c) && MEMBER(c) && best <= LEASE ->
        g[c] = (best < g[c] -> best : g[c]);
#ifdef RENOUNCE
        gave[c] = 0
#endif
    :: else
    fi;
    best = 0
}

#ifdef TABLES
/* c, which is trusted, has lapsed or is a candidate: it begins a generation of tables, and buries those before it */
inline isTrusted(c)
{
    d_step {
        (MEMBER(c) && HAS(leads, c) && tables < NT && (HAS(lapsed, c) || !TOP(c)));
        printf("isTrusted %d\n", c);
        counted(SOLE, c);
        if
        :: (HAS(lapsed, c) && best <= REGAIN) || (!TOP(c) && best <= TRUST) ->
            announce(c);
            if
            :: MAY_WRITE(next[c]) ->
                v = next[c];
                begin(c);
                if
                :: !TOP(c) && best <= TRUST ->
                    i = 0;
                    do
                    :: i < NC ->
                        if
                        :: IS_BEFORE(clu[c], i, c) ->
                            lost[tables] = lost[tables] | BIT(i);
                            back[tables] = back[tables] & ~BIT(i)
                        :: else
                        fi;
                        i++
                    :: else -> break
                    od;
                    i = 0;
#ifdef SEATS
                    seat[tables] = (BURIES_X -> 2 : seat[tables]);
#endif
                :: else
                fi;
                lapsed = lapsed & ~BIT(c);
                g[c] = (best < g[c] -> best : g[c]);
#ifdef M_REGAINS_WITHOUT_CLUSTER
                if
                :: lost[tables] != lost[clu[c]] || back[tables] != back[clu[c]] -> publishCluster(c)
                :: else
                fi;
#else
                publishCluster(c);
#endif
                publishSystem(c);
                next[c] = 0;
                tables++
            :: else
            fi
        :: else
        fi;
        best = 0;
        check()
    }
}
#endif

/* c stamps: it leads, and follows itself. Who takes a place goes on under the grant of whom it followed there,
 * and under no other one's. */
#ifdef TABLES
#define NAMES_ANOTHER(c) (named[c] != sys[c])
#if CRASHES > 0 || defined(SEATS)
#define INHERITS(c) (follows[c] == (c) || HAS(ended, follows[c]) || !LIVES(clu[c], follows[c]) || IS_BEFORE(clu[c], follows[c], c))
#else
#define INHERITS(c) false /* who has ended is left out: who is trusted needs no other grant */
#endif
#define MAY_LEAD(c) MEMBER(c)
#else
#define NAMES_ANOTHER(c) false
#define INHERITS(c) false
#define MAY_LEAD(c) MEMBER(c)
#endif
inline stamps(c)
{
    d_step {
        (MAY_LEAD(c) && (!(hist[c] & 1) || NAMES_ANOTHER(c)));
        printf("stamps %d\n", c);
        if
        :: HAS(leads, c)
        :: else ->
            g[c] = (INHERITS(c) -> g[c] : NEVER);
            lapsed = (g[c] > LEASE -> lapsed | BIT(c) : lapsed & ~BIT(c))
        fi;
#ifdef M_LAPSED_REGAINS
        lapsed = 0;
#endif
        leads = leads | BIT(c);
        hist[c] = hist[c] | 1;
#ifdef TABLES
        named[c] = sys[c];
#endif
        acknowledge(c, c, 0);
        countsFollowers(c);
        check()
    }
}

#if !defined(TABLES) || defined(M_ANY_TABLE)
#define SAME_TABLE(p, c) true
#else
#define SAME_TABLE(p, c) (sys[p] == named[c])
#endif
#ifdef TABLES /* who comes first by its own tables leads, and follows nobody */
#define FOLLOWS(p) (UP(p) && (p >= NC || HAS(fenced, p) || !TOP(p)))
#else
#define FOLLOWS(p) UP(p)
#endif

/* p acknowledges a stamp of c */
inline acknowledges(p, c, d)
{
    d_step {
        (FOLLOWS(p) && p != c && ((hist[c] >> d) & 1) && d < W(p, c) && SAME_TABLE(p, c));
        printf("acknowledges %d %d %d\n", p, c, d);
        if
        :: p < NC -> stopLeading(p)
        :: else
        fi;
        acknowledge(p, c, d);
        countsFollowers(c);
#ifdef TABLES
        exchangeGenerations(p, c);
#endif
        check()
    }
}

/* What p has acknowledged it says again: it may follow alone by now. */
#ifdef TABLES
#define STILL_CURRENT(p, c) HAS(current[c], p)
#else
#define STILL_CURRENT(p, c) true
#endif
inline reconsiders(p, c)
{
    d_step {
        (UP(p) && p != c && follows[p] == c && W(p, c) < K(p, c) && W(p, c) <= OLDEST_SOLE && STILL_CURRENT(p, c));
        printf("reconsiders %d %d\n", p, c);
        alone(p, c);
        K(p, c) = (n -> W(p, c) : K(p, c));
#ifdef TABLES
        freshAlone[c] = (n && HAS(fresh[c], p) -> freshAlone[c] | BIT(p) : freshAlone[c]);
#endif
        n = 0;
        countsFollowers(c);
        check()
    }
}

#ifdef SEATS
#ifdef M_LEASE_FOR_OLD_TABLES
#define LEASE_FOR(p, q) true
#else
#define LEASE_FOR(p, q) (key[clu[p]] >= key[clu[q]])
#endif
#else
#define LEASE_FOR(p, q) true
#endif
#ifdef M_GRANTS_BEFORE_TABLES
#define GRANT_FOR(p, q) true
#else
#define GRANT_FOR(p, q) LEASE_FOR(p, q)
#endif

/* the grant comes down: also from another one that follows the same */
inline hearsGrant(p)
{
    d_step {
        (MEMBER(p) && follows[p] != p && g[follows[p]] < g[p] && MEMBER(follows[p]) && HAS(leads, follows[p])
                && MAY_TAKE(p, follows[p]) && GRANT_FOR(p, follows[p]));
        printf("hearsGrant %d\n", p);
#ifdef M_GRANTS_DO_NOT_AGE
        g[p] = 0;
#else
        g[p] = g[follows[p]];
#endif
        check()
    }
}

#ifdef TABLES
/* tables go from q to p */
inline takesSystem(p, q)
{
    d_step {
        (UP(p) && MEMBER(q) && p != q && key[sys[p]] < key[sys[q]]);
        printf("takesSystem %d %d\n", p, q);
        adoptSystem(p, q);
        check()
    }
}
inline takesCluster(p, q)
{
    d_step {
        (MEMBER(p) && MEMBER(q) && p != q && key[clu[p]] < key[clu[q]]);
        printf("takesCluster %d %d\n", p, q);
        adoptCluster(p, q);
        check()
    }
}
inline takesTables(p, q) /* all that are newer */
{
    d_step {
        (MEMBER(p) && MEMBER(q) && p != q && (key[clu[p]] < key[clu[q]] || key[sys[p]] < key[sys[q]]));
        printf("takesTables %d %d\n", p, q);
        if
        :: key[sys[p]] < key[sys[q]] -> adoptSystem(p, q)
        :: else
        fi;
        if
        :: key[clu[p]] < key[clu[q]] -> adoptCluster(p, q)
        :: else
        fi;
        check()
    }
}
#endif

#ifdef BURIALS
/* c decides that p is lost */
inline decides(p, c)
{
    d_step {
        (ACTS(c) && p != c && LIVES(clu[c], p) && MAY_WRITE(CLUSTER_VERSION(c)));
        printf("decides %d %d\n", p, c);
        counted(1, c);
        if
        :: best <= TRUST ->
            v = CLUSTER_VERSION(c);
            begin(c);
            lost[tables] = lost[tables] | BIT(p);
            back[tables] = back[tables] & ~BIT(p);
            publishCluster(c);
            tables++
        :: else
        fi;
        best = 0;
        check()
    }
}
#endif

#ifdef REJOIN
/* p, fenced, is let in by c: into the table; and by whoever has that table */
inline letIn(p, c)
{
    d_step {
        (HAS(fenced, p) && UP(p) && !HAS(life2, p) && ACTS(c) && HAS(lost[clu[c]], p) && !HAS(back[clu[c]], p)
                && MAY_WRITE(CLUSTER_VERSION(c)));
        printf("letIn %d %d\n", p, c);
        counted(1, c);
        if
        :: best <= TRUST ->
            v = CLUSTER_VERSION(c);
            begin(c);
            back[tables] = back[tables] | BIT(p);
            publishCluster(c);
            tables++
        :: else
        fi;
        best = 0;
        check()
    }
}
inline enters(p, q)
{
    d_step {
        (HAS(fenced, p) && UP(p) && !HAS(life2, p) && MEMBER(q) && HAS(back[clu[q]], p));
        printf("enters %d %d\n", p, q);
        life2 = life2 | BIT(p);
        fenced = fenced & ~BIT(p);
        clu[p] = clu[q];
#ifdef M_ENTERS_WITH_OLD_TABLE
        if
        :: sys[p] != sys[q] -> adoptSystem(p, q)
#else
        if
        :: key[sys[p]] < key[sys[q]] -> adoptSystem(p, q)
#endif
        :: else
        fi;
        g[p] = g[q];
        follows[p] = follows[q];
#ifdef M_FORGETS_ITS_LIVES
        i = 0;
        do
        :: i < NC -> A(p, i) = NEVER; i++
        :: else -> break
        od;
        i = 0;
#endif
        check()
    }
}
#endif

#ifdef STEPS
#define WANTED(c) ((ALL & ~lost[clu[c]]) | back[clu[c]])
/* the voters to be stand in the table */
inline step1(c)
{
    d_step {
        (ACTS(c) && toBe[sys[c]] == 0 && WANTED(c) != voters[sys[c]] && MAY_WRITE(SYSTEM_VERSION(c)));
        printf("step1 %d\n", c);
        counted(1, c);
        if
        :: best <= TRUST ->
            v = SYSTEM_VERSION(c);
            begin(c);
#ifdef M_WITHOUT_JOINT_STEP
            voters[tables] = WANTED(c);
#else
            toBe[tables] = WANTED(c);
            marked = marked | BIT(c);
            fresh[c] = 0; freshAlone[c] = 0;
            hist[c] = 0;
#endif
            publishSystem(c);
            tables++
        :: else
        fi;
        best = 0;
        check()
    }
}

/* In n: whether majorities of both lists follow alone by stamps since then, and all of them that live by the tables
 * have acknowledged one. */
inline majorityOf(some, group) /* in v */
{
    n = 0; m = 0; j = NP; i = 0;
    do
    :: i < NP ->
        if
        :: HAS(group, i) -> m++; j = (j == NP -> i : j); n = n + HAS(some, i)
        :: else
        fi;
        i++
    :: else -> break
    od;
    v = (2 * n > m || (2 * n == m && m > 0 && HAS(some, j)));
    i = 0; j = 0; n = 0; m = 0
}

/* they are voters */
inline step3(c)
{
    d_step {
        (ACTS(c) && toBe[sys[c]] != 0 && MAY_WRITE(SYSTEM_VERSION(c)));
        printf("step3 %d\n", c);
        counted(1, c);
        if
        :: best <= TRUST && !HAS(marked, c) ->
            marked = marked | BIT(c);
            fresh[c] = 0; freshAlone[c] = 0;
            hist[c] = 0
        :: best <= TRUST && HAS(marked, c) ->
#ifdef M_ONLY_FORMER_VOTERS
            best = 1;
#else
            majorityOf(freshAlone[c], voters[sys[c]] & (COUNTED(c, true)));
            best = v;
            majorityOf(freshAlone[c], toBe[sys[c]] & (COUNTED(c, true)));
            best = best && v;
#endif
#ifndef M_SOME_LACK_TABLE
            v = (voters[sys[c]] | toBe[sys[c]]) & WANTED(c) & (COUNTED(c, false)) & ~fresh[c];
            best = best && v == 0;
#endif
#ifdef M_STEP_AT_ONCE
            best = 1;
#endif
            if
            :: best ->
                v = SYSTEM_VERSION(c);
                begin(c);
                voters[tables] = toBe[tables];
                toBe[tables] = 0;
                publishSystem(c);
                marked = marked & ~BIT(c);
                tables++
            :: else
            fi;
            v = 0
        :: else
        fi;
        best = 0;
        check()
    }
}
#endif

#if CRASHES > 0
/* p ends */
inline ends(p)
{
    d_step {
        (crashes < CRASHES && !HAS(ended, p));
        printf("ends %d\n", p);
        ended = ended | BIT(p); crashes++
    }
}

/* its end is seen */
inline endIsSeen(p, c)
{
    d_step {
        (MEMBER(c) && HAS(ended, p) && !HAS(seen[c], p));
        printf("endIsSeen %d %d\n", p, c);
        seen[c] = seen[c] | BIT(p);
        since[c] = 0;
        check()
    }
}
#ifdef TABLES
/* Who leads when all before it have ended writes that they have: under the grant that it has */
inline takesPlace(c)
{
    d_step {
        (VALID(c) && seen[c] & ~lost[clu[c]] && MAY_WRITE(CLUSTER_VERSION(c)));
        printf("takesPlace %d\n", c);
        n = 0; i = 0;
        do
        :: i < NC -> n = n + (IS_BEFORE(clu[c], i, c) && !HAS(seen[c], i)); i++
        :: else -> break
        od;
        i = 0;
        if
        :: n == 0 ->
            v = CLUSTER_VERSION(c);
            begin(c);
            lost[tables] = lost[tables] | seen[c];
            back[tables] = back[tables] & ~seen[c];
            publishCluster(c);
            tables++
        :: else
        fi;
        n = 0;
        check()
    }
}
#endif
#endif

#ifdef RENOUNCE
#ifdef M_RENOUNCES_GRANTS
#define GAVE_NONE(c) true
#else
#define GAVE_NONE(c) (gave[c] > ALONE)
#endif
#ifdef TABLES
#define LEADS_NO_MORE(c) (HAS(fenced, c) || !TOP(c))
#else
#define LEADS_NO_MORE(c) (!HAS(established, c))
#endif
/* who stops being a candidate renounces, also who gives itself up */
inline renounces(c)
{
    d_step {
        (UP(c) && LEADS_NO_MORE(c) && hist[c] && GAVE_NONE(c));
        printf("renounces %d\n", c);
        i = 0;
        do
        :: i < NP ->
            if
            :: A(i, c) <= ALONE -> forgettable[c] = forgettable[c] | BIT(i)
            :: else
            fi;
#ifndef M_RENOUNCED_COUNTS
            W(i, c) = NEVER;
            K(i, c) = NEVER;
#endif
            i++
        :: else -> break
        od;
        i = 0;
#ifndef M_RENOUNCED_COUNTS
        hist[c] = 0;
#endif
        stopLeading(c);
        check()
    }
}

/* p hears of it */
inline hearsRenunciation(p, c)
{
    d_step {
        (UP(p) && HAS(forgettable[c], p));
        printf("hearsRenunciation %d %d\n", p, c);
        forgettable[c] = forgettable[c] & ~BIT(p);
        A(p, c) = NEVER;
        check()
    }
}
#endif

#ifdef SEATS
/* p gets a lease from q, who leads or has one itself; tables come with it */
inline getsLease(p, q)
{
    d_step {
        (MEMBER(p) && MEMBER(q) && p != q && !OVER(clu[q], p) && !(p == X && seat[clu[q]] != 0) && LEASE_FOR(p, q)
                && (HAS(leads, q) -> 0 : l[q]) < l[p]);
        printf("getsLease %d %d\n", p, q);
#ifdef M_LEASES_DO_NOT_AGE
        l[p] = 0;
#else
        l[p] = (HAS(leads, q) -> 0 : l[q]);
#endif
        check()
    }
}

/* X is condemned, its seat given on */
inline giveSeatOn(c)
{
    d_step {
        (c != X && ACTS(c) && seat[clu[c]] < 2 && MAY_WRITE(CLUSTER_VERSION(c)));
        printf("giveSeatOn %d\n", c);
        counted(1, c);
        if
        :: best <= TRUST && seat[clu[c]] == 0 -> best = 1; waited = 0
#ifdef M_SEAT_TOO_SOON
        :: best <= TRUST && seat[clu[c]] == 1 -> best = 2
#else
        :: best <= TRUST && seat[clu[c]] == 1 && waited > WAIT -> best = 2
#endif
        :: else -> best = 0
        fi;
        if
        :: best ->
            v = CLUSTER_VERSION(c);
            begin(c);
            seat[tables] = best;
            publishCluster(c);
            tables++
        :: else
        fi;
        best = 0;
        check()
    }
}
#endif

/* Every event for everybody that it may be of. */
#define C1(event) :: event(0) :: event(1) C1_2(event)
#define CP(event, p) :: event(p, 0) :: event(p, 1) CP_2(event, p)
#ifdef PROMPT
#define ACK(p, c) :: acknowledges(p, c, 0) :: reconsiders(p, c)
#else
#define ACK(p, c) :: acknowledges(p, c, 0) :: acknowledges(p, c, 1) :: acknowledges(p, c, 2)
#endif
#define ACKS(p) ACK(p, 0) ACK(p, 1) ACKS_2(p)
#if NC > 2
#define C1_2(event) :: event(2)
#define CP_2(event, p) :: event(p, 2)
#define ACKS_2(p) ACK(p, 2)
#else
#define C1_2(event)
#define CP_2(event, p)
#define ACKS_2(p)
#endif
#if NP == 3
#define PS(f) f(0) f(1) f(2)
#define PP(event, p) :: event(p, 0) :: event(p, 1) :: event(p, 2)
#elif NP == 4
#define PS(f) f(0) f(1) f(2) f(3)
#define PP(event, p) :: event(p, 0) :: event(p, 1) :: event(p, 2) :: event(p, 3)
#else
#define PS(f) f(0) f(1) f(2) f(3) f(4)
#define PP(event, p) :: event(p, 0) :: event(p, 1) :: event(p, 2) :: event(p, 3) :: event(p, 4)
#endif
#define P_GRANT(p) :: hearsGrant(p)
#define P_DECIDES(p) CP(decides, p)
#ifdef SEATS
#define P_TABLES(p) PP(takesCluster, p) PP(takesTables, p)
#else
#define P_TABLES(p) PP(takesSystem, p) PP(takesCluster, p) PP(takesTables, p)
#endif
#define P_ENDS(p) :: ends(p) CP(endIsSeen, p)
#define P_HEARS(p) CP(hearsRenunciation, p)
#define P_LEASE(p) PP(getsLease, p)
#define P_RETURNS(p) CP(letIn, p) PP(enters, p)

active proctype system()
{
    d_step {
        i = 0;
        do
        :: i < NP * NC -> w[i] = (i % NC == 0 -> 0 : NEVER); a[i] = w[i]; k[i] = w[i]; i++
        :: else -> break
        od;
        hist[0] = 1;
        leads = 1;
#ifdef TABLES
        voters[0] = ALL;
        current[0] = ALL;
#else
        established = 1;
#endif
        i = 0;
        do
        :: i < NC ->
#ifdef RENOUNCE
            gave[i] = (i > 0 -> NEVER : 0);
#endif
#if CRASHES > 0
            since[i] = NEVER;
#endif
            i++
        :: else -> break
        od;
#ifdef SEATS
        waited = NEVER;
#endif
        i = 0
    };
#ifdef SCRIPT /* these events, one after the other */
#define T d_step { printf("tick\n"); tick(); check() }
    SCRIPT
#else
    do
    :: d_step { printf("tick\n"); tick(); check() }
    C1(stamps)
    PS(ACKS)
#ifdef TABLES
    C1(isTrusted)
#endif
#ifdef SEATS
    PS(P_GRANT)
#elif CRASHES > 0
    C1(hearsGrant)
#endif
#ifdef TABLES
    PS(P_TABLES)
#endif
#ifdef BURIALS
    PS(P_DECIDES)
#endif
#if CRASHES > 0
    PS(P_ENDS)
#ifdef TABLES
    C1(takesPlace)
#endif
#endif
#ifdef RENOUNCE
    C1(renounces)
    PS(P_HEARS)
#endif
#ifdef SEATS
    PS(P_LEASE)
    C1(giveSeatOn)
#endif
#ifdef REJOIN
    PS(P_RETURNS)
#endif
#ifdef STEPS
    C1(step1)
    C1(step3)
#endif
    od
#endif
}
