# Forty tasks: estimates of pi, one task that fails at its first attempt, and the mean of all at the
# end. A line is a command for the shell, a line that begins with # is a comment.

#TASUKI timeout=1m
./estimate-pi 1 1600000 > pi-01.txt
./estimate-pi 2 1450000 > pi-02.txt
./estimate-pi 3 1300000 > pi-03.txt
./estimate-pi 4 1150000 > pi-04.txt
./estimate-pi 5 1000000 > pi-05.txt
./estimate-pi 6 850000 > pi-06.txt
./estimate-pi 7 700000 > pi-07.txt
./estimate-pi 8 550000 > pi-08.txt
./estimate-pi 9 400000 > pi-09.txt
./estimate-pi 10 250000 > pi-10.txt
./estimate-pi 11 100000 > pi-11.txt
./estimate-pi 12 1600000 > pi-12.txt
./estimate-pi 13 1450000 > pi-13.txt
./estimate-pi 14 1300000 > pi-14.txt
./estimate-pi 15 1150000 > pi-15.txt
./estimate-pi 16 1000000 > pi-16.txt
./estimate-pi 17 850000 > pi-17.txt
./estimate-pi 18 700000 > pi-18.txt
./estimate-pi 19 550000 > pi-19.txt
./estimate-pi 20 400000 > pi-20.txt
./estimate-pi 21 250000 > pi-21.txt
./estimate-pi 22 100000 > pi-22.txt
./estimate-pi 23 1600000 > pi-23.txt
./estimate-pi 24 1450000 > pi-24.txt
./estimate-pi 25 1300000 > pi-25.txt
./estimate-pi 26 1150000 > pi-26.txt
./estimate-pi 27 1000000 > pi-27.txt
./estimate-pi 28 850000 > pi-28.txt
./estimate-pi 29 700000 > pi-29.txt
./estimate-pi 30 550000 > pi-30.txt
./estimate-pi 31 400000 > pi-31.txt
./estimate-pi 32 250000 > pi-32.txt
./estimate-pi 33 100000 > pi-33.txt
./estimate-pi 34 1600000 > pi-34.txt
./estimate-pi 35 1450000 > pi-35.txt
./estimate-pi 36 1300000 > pi-36.txt
./estimate-pi 37 1150000 > pi-37.txt
./estimate-pi 38 1000000 > pi-38.txt

# May be tried again up to twice. TASUKI_ATTEMPT tells a task which attempt it is.
#TASUKI retries=2
test "$TASUKI_ATTEMPT" -ge 2 || { echo 'no luck at the first attempt' >&2; exit 1; }

# Waits for everything above.
#TASUKI retries=default barrier
cat pi-*.txt | awk '{ sum += $1 } END { printf "mean of %d estimates: %.4f\n", NR, sum / NR }'
