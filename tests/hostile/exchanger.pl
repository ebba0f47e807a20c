# Exchanges two names until its standard input closes or its time is over: first one name for the other,
# and back again, with pauses of changing length between them. renameat2(2) has no name in other languages
# that are found everywhere. Arguments: two paths, the longest pause in microseconds, and its time in
# seconds.
use strict;
use warnings;
use Time::HiRes qw(usleep);
use POSIX qw(uname);

my ($one, $other, $longest, $seconds) = @ARGV;
my $until = time + $seconds;
my $renameat2 = (uname())[4] =~ /^(?:aarch64|arm64|riscv64)$/ ? 276 : 316;
my $EXCHANGE = 2;
my $CWD = -100;

my $ended = '';
vec($ended, fileno(STDIN), 1) = 1;
$| = 1;
print "ready\n";
for (my $round = 0;; $round++) {
  for my $turn (0, 1) {
    syscall($renameat2, $CWD, $one, $CWD, $other, $EXCHANGE) == 0 or die "renameat2: $!";
    usleep(rand($longest)) if $longest > 0;
  }
  next if $round % 64;
  my $ready = $ended;
  last if select($ready, undef, undef, 0) > 0 || time > $until;
}
