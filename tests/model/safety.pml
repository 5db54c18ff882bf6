/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The protocol of docs/membership.md, for spin: no two may act, no two hold a seat, nothing is recorded
 * by who was superseded. tests/model/run says with which options it is searched.
 *
 * What is abstracted, and why nothing is lost by it:
 *  - One process chooses the next event; each event is atomic, as each keeper runs on one thread and
 *    looks at its clock when it acts. Who takes no step for any time is paused.
 *  - Time are ticks. All ages saturate at NEVER: nothing depends on how much older something is. The
 *    spans are 10 T = 1, 25 T = 2, 30 T = 3 ticks; "followed alone" is as short as the proof allows (35
 *    T, more than 3 ticks), so that every shorter span is a mutant. Clocks of one rate: the margins for
 *    other rates (38 for 35, 30 for 25) are not part of this model.
 *  - A stamp is a bit of its maker's history, and may be acknowledged as long as it is remembered: this
 *    is loss, delay, reordering and repetition at once, as only newer stamps replace older ones.
 *    An acknowledgement is known at once, but looked at only at some time: as only the newest counts,
 *    this is the same as a later arrival of all of them.
 *  - Cuts are a kind of loss, and need no event. Whom somebody takes for away is free: anybody may lead
 *    or follow at any time. The tree between is left out: it is delay.
 *  - Tables are sets of who is lost, and unite. That the later one wins is not part of this model.
 */
#ifndef NP
#define NP 5 /* processors; all vote at the start */
#endif
#ifndef NC
#define NC 3 /* of them, who may lead: the first of each host */
#endif
#ifndef BURIALS
#define BURIALS 2
#endif
#ifndef CRASHES
#define CRASHES 0
#endif
#ifndef TRUST
#define TRUST 1
#endif
#ifndef LEASE
#define LEASE 2
#endif
#ifndef GRANT
#define GRANT 3 /* of who follows */
#endif
#ifndef WAIT
#define WAIT 2 /* a seat is given on when more ticks than these have passed */
#endif
#ifndef ALONE
#define ALONE 3 /* more ticks than these */
#endif
#define NEVER 4 /* also of ages that must not end: > ALONE, LEASE, GRANT, WAIT, TRUST */
#define ALL ((1 << NP) - 1)
#define W(p, c) w[(p) * NC + (c)]
#define A(p, c) a[(p) * NC + (c)]
#define K(p, c) k[(p) * NC + (c)]
#define HAS(set, p) (((set) >> (p)) & 1)
#define INC(x) x = ((x) < NEVER -> (x) + 1 : NEVER)
#define NOBODY 255

byte w[NP * NC]; /* age of the newest stamp that p acknowledged of c */
byte a[NP * NC]; /* how long ago p did so last */
byte k[NP * NC]; /* age of the newest stamp that p acknowledged following c alone */
byte g[NP];      /* age of the grant */
byte hist[NC];   /* in which of the last ticks c stamped */
byte follows[NP];
byte dead[NP];   /* who is lost in p's table */
byte gone[NC];   /* whom c does not count any more */
byte since[NC];  /* how long ago c's table of the dead grew */
byte ended;      /* processes that are no more */
byte fenced;
byte lapsed;     /* of leaders: may get a grant by trust only */
byte leads, established;
byte crashes, burials;
byte recorder = 0; /* who opened the record last */
#ifdef RENOUNCE
byte forgettable[NC]; /* whose newest acknowledgement of c is renounced */
byte gave[NC];        /* how long ago c gave a grant by its own stamps */
#endif
#ifdef SEATS
#define X (NP - 1) /* holds the seat */
#define Y (NP - 2) /* gets it */
byte l[NP];        /* age of the lease */
byte knows;        /* who has the table in which X is condemned */
byte told;         /* and the one that gives its seat to Y */
byte waited;
#endif
#ifdef REJOIN
#define R 0        /* whoever may come back */
byte life2;        /* it lives its second life: a member without a vote until the steps are done */
byte adm[NP];      /* system table: 0 before, 1 admitting, 2 voter */
byte back;
#endif

byte i, j, n, m, v, best; /* scratch within one event */

#define UP(p) (!HAS(ended, p) && !HAS(fenced, p))
#define ACTS(c) (UP(c) && HAS(established, c) && !HAS(lapsed, c) && g[c] <= LEASE)

/* Who is lost in the own table is one of those of whom a majority counts, for a while; what it said does
 * not count. */
#ifdef M_DEAD_COUNT
#define COUNTS(p, c) true
#elif defined(REJOIN)
#define COUNTS(p, c) (!HAS(dead[c], p) || (life2 && (p) == R))
#else
#define COUNTS(p, c) (!HAS(dead[c], p))
#endif

/* In v: the age that a majority of `set` has, of stamps acknowledged, alone or not; NEVER: none. On a tie the side of its lowest. */
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
            :: HAS(group, i) ->
                m++;
                j = (j == NP -> i : j);
                n = n + (((sole) -> K(i, leader) : W(i, leader)) <= v && COUNTS(i, leader))
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
        :: (2 * n == m && m > 0 && ((sole) -> K(j, leader) : W(j, leader)) <= v && COUNTS(j, leader)) -> break
#endif
        :: else -> v++
        fi
    od;
    i = 0; j = 0; n = 0; m = 0
}

#ifdef REJOIN
#define BEFORE(c) (ALL & ~gone[c] & ~((life2 || back) << R))
#define AFTER(c) (BEFORE(c) | (1 << R))
#else
#define BEFORE(c) (ALL & ~gone[c])
#endif

/* In best: the age by all majorities that c needs. */
inline counted(sole, whom)
{
#ifdef REJOIN
    if
    :: adm[whom] < 2 -> majority(sole, whom, (BEFORE(whom)))
    :: else -> v = 0
    fi;
    best = v;
    if
    :: adm[whom] >= 1 -> majority(sole, whom, (AFTER(whom))); best = (v > best -> v : best)
    :: else
    fi;
#else
    majority(sole, whom, (BEFORE(whom)));
    best = v;
#endif
    v = 0
}

inline alone(one, other) /* in n */
{
    n = 1; i = 0;
    do
    :: i < NC -> n = n && (i == (other) || A(one, i) > ALONE); i++
    :: else -> break
    od;
    i = 0
}

inline acknowledge(who, lead, age)
{
    W(who, lead) = (age);
    A(who, lead) = 0;
    alone(who, lead);
#ifdef M_ALWAYS_ALONE
    n = 1;
#endif
    K(who, lead) = (n -> (age) : K(who, lead));
    n = 0;
#ifdef RENOUNCE
    forgettable[lead] = forgettable[lead] & ~(1 << (who));
#endif
    follows[who] = lead
}

inline stopLeading(former)
{
    leads = leads & ~(1 << (former));
    established = established & ~(1 << (former))
}

inline bury(writer, lost)
{
    dead[writer] = dead[writer] | (1 << (lost));
    since[writer] = 0
}

/* Whom c does not count any more: those in whose table of the dead it stands, once a majority of those that
 * counted until now has that table and follows alone: it never acknowledges who is dead in it again, and
 * what it acknowledged before is over. */
#ifdef M_SUBTRACTED_WHEN_KNOWN
#define FOLLOWS_ALONE(p, c) true
#else
#define FOLLOWS_ALONE(p, c) (K(p, c) <= TRUST)
#endif
inline shrink(counting)
{
#ifdef M_SUBTRACTED_AT_ONCE
    gone[counting] = dead[counting];
#else
#ifdef M_SUBTRACTED_AFTER_ALONE
    gone[counting] = (since[counting] > ALONE -> dead[counting] : gone[counting]);
#else
    n = 0; m = 0; i = 0;
    do
    :: i < NP ->
        m = m + (HAS(ALL & ~gone[counting], i));
        n = n + (HAS(ALL & ~gone[counting], i) && UP(i) && (dead[i] & dead[counting]) == dead[counting]
                 && FOLLOWS_ALONE(i, counting));
        i++
    :: else -> break
    od;
    gone[counting] = (2 * n > m -> dead[counting] : gone[counting]);
    i = 0; n = 0; m = 0
#endif
#endif
}

inline takeTable(to, from)
{
    if
    :: (dead[to] | dead[from]) != dead[to] ->
        dead[to] = dead[to] | dead[from];
        if
        :: to < NC -> since[to] = 0
        :: else
        fi
    :: else
    fi;
#ifdef SEATS
    knows = knows | (HAS(knows, from) << (to));
    told = told | (HAS(told, from) << (to));
    if
    :: HAS(knows, from) && to == X -> fenced = fenced | (1 << (to))
    :: else
    fi;
#endif
#ifdef REJOIN
    adm[to] = (adm[from] > adm[to] -> adm[from] : adm[to]);
#endif
#ifndef M_CONDEMNED_GO_ON
#ifdef REJOIN
    if
    :: HAS(dead[to], to) && !(life2 && to == R) -> fenced = fenced | (1 << (to))
    :: else
    fi
#else
    if
    :: HAS(dead[to], to) -> fenced = fenced | (1 << (to))
    :: else
    fi
#endif
#endif
}

inline tick()
{
    i = 0;
    do
    :: i < NP * NC -> INC(w[i]); INC(a[i]); INC(k[i]); i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < NP ->
        INC(g[i]);
#ifdef SEATS
        INC(l[i]);
#endif
        i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < NC ->
        hist[i] = (hist[i] << 1) & ((1 << (LEASE + 1)) - 1);
        INC(since[i]);
#ifdef RENOUNCE
        INC(gave[i]);
#endif
#ifndef M_LAPSED_REGAINS
#ifdef M_SUSPENDED_REGAINS
        if /* it may have been paused: then it is suspended, and regains like a follower */
        :: g[i] > LEASE && HAS(leads, i) && (hist[i] & 2) -> lapsed = lapsed | (1 << i)
        :: else
        fi;
#else
        if
        :: g[i] > LEASE && HAS(leads, i) -> lapsed = lapsed | (1 << i)
        :: else
        fi;
#endif
#endif
        i++
    :: else -> break
    od;
#ifdef SEATS
    waited = (knows -> (waited < NEVER -> waited + 1 : NEVER) : 0);
#endif
    i = 0
}

inline check()
{
    n = 0; i = 0;
    do
    :: i < NC -> n = n + ACTS(i); i++
    :: else -> break
    od;
#ifdef M_SUSPENDED_ACTS
    n = 0; i = 0;
    do
    :: i < NC -> n = n + (UP(i) && HAS(established, i)); i++
    :: else -> break
    od;
#endif
    assert(n <= 1); /* two act */
    i = 0; n = 0;
#ifdef SEATS
#ifdef M_NO_GRANT_FOR_SEATS
    assert(!(HAS(told, Y) && UP(Y) && l[Y] <= LEASE && UP(X) && l[X] <= LEASE));
#else
    assert(!(HAS(told, Y) && UP(Y) && l[Y] <= LEASE && g[Y] <= GRANT
             && UP(X) && l[X] <= LEASE && g[X] <= GRANT)); /* two hold a seat */
#endif
#endif
}

/* What mutants change. */
#ifdef M_DEAD_ARE_FOLLOWED
#define MAY_FOLLOW(p, c) true
#else
#define MAY_FOLLOW(p, c) (!HAS(dead[p], c))
#endif
#if defined(M_STAMPS_WITHOUT_VERSION) || !defined(REJOIN)
#define KNOWS_VERSION(p, c) true
#else
#define KNOWS_VERSION(p, c) (adm[p] >= adm[c])
#endif
#ifdef M_RENOUNCES_GRANTS
#define GAVE_NONE(c) true
#else
#define GAVE_NONE(c) (gave[c] > ALONE)
#endif
#ifdef M_LEASE_FOR_OLD_TABLES
#define LEASE_FOR(p, q) true
#else
#define LEASE_FOR(p, q) (HAS(knows, p) || !HAS(knows, q))
#endif


/* c stamps: it leads, and follows itself */
inline stamps(c)
{
    d_step {
        (UP(c) && !(hist[c] & 1));
        lapsed = (HAS(leads, c) -> lapsed
                                : (g[c] > LEASE -> lapsed | (1 << c) : lapsed & ~(1 << c)));
#ifdef M_LAPSED_REGAINS
        lapsed = 0;
#endif
        leads = leads | (1 << c);
        hist[c] = hist[c] | 1;
        acknowledge(c, c, 0);
        check()
    }
}

/* p acknowledges a stamp of c */
inline acknowledges(p, c, d)
{
    d_step {
        ((UP(p) && p != c && ((hist[c] >> d) & 1) && d < W(p, c)
                && MAY_FOLLOW(p, c) && KNOWS_VERSION(p, c)));
        if
        :: p < NC -> stopLeading(p)
        :: else
        fi;
        acknowledge(p, c, d);
        check()
    }
}

/* c looks at who follows it: its grant; and whether it is trusted */
inline looks(c)
{
    d_step {
        (UP(c) && HAS(leads, c));
        shrink(c);
        counted(1, c);
#ifdef M_TRUST_BY_FOLLOWERS
        counted(0, c);
#endif
        if
        :: best <= TRUST ->
            lapsed = lapsed & ~(1 << c);
            established = established | (1 << c);
            recorder = c
        :: else
        fi;
        counted(0, c);
        if
        :: !HAS(lapsed, c) && best <= LEASE ->
            g[c] = (best < g[c] -> best : g[c]);
#ifdef RENOUNCE
            gave[c] = 0
#endif
        :: else
        fi;
        best = 0;
        check()
    }
}

/* the grant comes down */
inline hearsGrant(p)
{
    d_step {
        (UP(p) && follows[p] != p && g[follows[p]] < g[p] && UP(follows[p]));
#ifdef M_GRANTS_DO_NOT_AGE
        g[p] = 0;
#else
        g[p] = g[follows[p]];
#endif
        check()
    }
}

/* c decides that somebody is lost */
inline decides(p, c)
{
    d_step {
        (burials < BURIALS && ACTS(c) && p != c && !HAS(dead[c], p));
        counted(1, c);
#ifdef M_BURIES_WITHOUT_TRUST
        best = 0;
#endif
        if
        :: best <= TRUST -> bury(c, p); burials++
        :: else
        fi;
        best = 0;
        check()
    }
}

/* a table goes from q to p */
inline takesTable(p, q)
{
    d_step {
        (UP(p) && UP(q) && p != q);
        takeTable(p, q);
        check()
    }
}
#if CRASHES > 0

/* p ends */
inline ends(p)
{
    d_step {
        (crashes < CRASHES && !HAS(ended, p));
 ended = ended | (1 << p); crashes++
    }
}

/* its end is seen: who really has ended need not know it */
inline endIsSeen(p, c)
{
    d_step {
        (crashes > 0 && UP(c) && HAS(ended, p) && !HAS(dead[c], p));
 bury(c, p); gone[c] = gone[c] | (1 << p); check()
    }
}
#endif

#ifdef RENOUNCE

/* who stops being a candidate renounces */
inline renounces(c)
{
    d_step {
        (UP(c) && !HAS(established, c) && hist[c] && GAVE_NONE(c));
        i = 0;
        do
        :: i < NP ->
            if
            :: A(i, c) <= ALONE -> forgettable[c] = forgettable[c] | (1 << i)
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
        forgettable[c] = forgettable[c] & ~(1 << p);
        A(p, c) = NEVER;
        check()
    }
}
#endif

#ifdef SEATS

/* p gets a lease from q, who leads or has one itself */
inline getsLease(p, q)
{
    d_step {
        ((UP(p) && UP(q) && p != q && !HAS(dead[q], p) && !(p == X && HAS(knows, q))
                && LEASE_FOR(p, q) && (HAS(leads, q) -> 0 : l[q]) < l[p]));
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
        (c != X && ACTS(c) && (!knows || HAS(knows, c)) && !told);
        counted(1, c);
        if
        :: best <= TRUST && !knows -> knows = 1 << c; waited = 0
#ifdef M_SEAT_TOO_SOON
        :: best <= TRUST && HAS(knows, c) -> told = 1 << c
#else
        :: best <= TRUST && HAS(knows, c) && waited > WAIT -> told = 1 << c
#endif
        :: else
        fi;
        best = 0;
        check()
    }
}
#endif

#ifdef REJOIN

/* R, fenced, is let in by c: a standby with the tables of c */
inline letIn(c)
{
    d_step {
        (HAS(fenced, R) && !life2 && c != R && ACTS(c) && HAS(dead[c], R));
        counted(1, c);
        if
        :: best <= TRUST ->
            life2 = 1; back = 1;
            fenced = fenced & ~(1 << R);
            dead[R] = dead[c];
            follows[R] = c;
            stopLeading(R);
            lapsed = lapsed & ~(1 << R);
            g[R] = NEVER;
            hist[R] = 0;
#ifdef M_FORGETS_ITS_LIVES
            i = 0;
            do
            :: i < NC -> W(R, i) = NEVER; A(R, i) = NEVER; i++
            :: else -> break
            od;
            i = 0;
#endif
            adm[R] = adm[c];
        :: else
        fi;
        best = 0;
        check()
    }
}

/* the steps */
inline step(c)
{
    d_step {
        (life2 && c != R && ACTS(c) && HAS(gone[c], R) && adm[c] < 2);
        counted(1, c);
        if
        :: best <= TRUST && adm[c] == 0 ->
#ifdef M_VOTES_AT_ONCE
            adm[c] = 2
#else
            adm[c] = 1
#endif
        :: best <= TRUST && adm[c] == 1 ->
            n = 1; i = 0;
            do
            :: i < NP ->
#ifndef M_VOTES_BEFORE_TABLE_IS_KNOWN
                n = n && (!HAS(BEFORE(c) & ~dead[c], i) || adm[i] >= 1);
#endif
                i++
            :: else -> break
            od;
            adm[c] = (n -> 2 : 1);
            n = 0; i = 0
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
#ifdef PROMPT /* stamps come in the tick in which they are made, or not at all */
#define ACK(p, c) :: acknowledges(p, c, 0)
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
#define P_TABLES(p) PP(takesTable, p)
#define P_ENDS(p) :: ends(p) CP(endIsSeen, p)
#define P_HEARS(p) CP(hearsRenunciation, p)
#define P_LEASE(p) PP(getsLease, p)

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
        established = 1;
        i = 0;
#ifdef RENOUNCE
        gave[1] = NEVER;
#if NC > 2
        gave[2] = NEVER;
#endif
#endif
    };
    do
    :: d_step { tick(); check() }
    C1(stamps)
    PS(ACKS)
    C1(looks)
#if !defined(PROMPT) || defined(SEATS)
    PS(P_GRANT)
#endif
#if BURIALS > 0
    PS(P_DECIDES)
    PS(P_TABLES)
#elif defined(SEATS)
    PS(P_TABLES)
#endif
#if CRASHES > 0
    PS(P_ENDS)
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
    C1(letIn)
    C1(step)
#endif
    od
}
