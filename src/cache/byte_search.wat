;; Looks over the bytes of a file 16 at a time: the source of what byte_search_wasm.ts holds.
(module
  (import "host" "memory" (memory 1))

  ;; What bytes $at up to $end hold: 1 for a byte that is not ASCII, 2 for a NUL, 4 for what is not
  ;; UTF-8, added up.
  (func (export "classify") (param $at i32) (param $end i32) (result i32)
    (local $last i32) (local $block v128) (local $nul v128) (local $found i32)
    (local $byte i32) (local $length i32) (local $second i32)
    (local $one v128) (local $two v128) (local $three v128) (local $four v128)
    (local.set $last (i32.sub (local.get $end) (i32.const 16)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_s (local.get $at) (local.get $end)))
        ;; 64 bytes.
        (block $notPlain
          (br_if $notPlain (i32.gt_s (local.get $at) (i32.sub (local.get $last) (i32.const 48))))
          (local.set $one (v128.load (local.get $at)))
          (local.set $two (v128.load offset=16 (local.get $at)))
          (local.set $three (v128.load offset=32 (local.get $at)))
          (local.set $four (v128.load offset=48 (local.get $at)))
          (br_if $notPlain
            (i8x16.bitmask
              (v128.or
                (v128.or (local.get $one) (local.get $two))
                (v128.or (local.get $three) (local.get $four)))))
          (local.set $nul
            (v128.or (local.get $nul)
              (i8x16.eq (v128.const i32x4 0 0 0 0)
                (i8x16.min_u
                  (i8x16.min_u (local.get $one) (local.get $two))
                  (i8x16.min_u (local.get $three) (local.get $four))))))
          (local.set $at (i32.add (local.get $at) (i32.const 64)))
          (br $next))
        ;; 16 bytes.
        (block $notPlain
          (br_if $notPlain (i32.gt_s (local.get $at) (local.get $last)))
          (local.set $block (v128.load (local.get $at)))
          (br_if $notPlain (i8x16.bitmask (local.get $block)))
          (local.set $nul
            (v128.or (local.get $nul)
              (i8x16.eq (local.get $block) (v128.const i32x4 0 0 0 0))))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br $next))
        ;; One character.
        (local.set $byte (i32.load8_u (local.get $at)))
        (if (i32.lt_u (local.get $byte) (i32.const 0x80))
          (then
            (if (i32.eqz (local.get $byte))
              (then (local.set $found (i32.or (local.get $found) (i32.const 2)))))
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (br $next)))
        (local.set $found (i32.or (local.get $found) (i32.const 1)))
        (block $invalid
          (br_if $invalid (i32.lt_u (local.get $byte) (i32.const 0xc2)))
          (br_if $invalid (i32.gt_u (local.get $byte) (i32.const 0xf4)))
          (local.set $length
            (i32.add (i32.const 2)
              (i32.add
                (i32.ge_u (local.get $byte) (i32.const 0xe0))
                (i32.ge_u (local.get $byte) (i32.const 0xf0)))))
          (br_if $invalid
            (i32.gt_s (i32.add (local.get $at) (local.get $length)) (local.get $end)))
          (local.set $second (i32.load8_u offset=1 (local.get $at)))
          (br_if $invalid (i32.ne (i32.and (local.get $second) (i32.const 0xc0)) (i32.const 0x80)))
          (block $continued
            (br_if $continued (i32.eq (local.get $length) (i32.const 2)))
            (br_if $invalid
              (i32.ne (i32.and (i32.load8_u offset=2 (local.get $at)) (i32.const 0xc0))
                (i32.const 0x80)))
            ;; Longer than it must be, or a surrogate, or beyond the last code point.
            (br_if $invalid
              (i32.and (i32.eq (local.get $byte) (i32.const 0xe0))
                (i32.lt_u (local.get $second) (i32.const 0xa0))))
            (br_if $invalid
              (i32.and (i32.eq (local.get $byte) (i32.const 0xed))
                (i32.ge_u (local.get $second) (i32.const 0xa0))))
            (br_if $continued (i32.eq (local.get $length) (i32.const 3)))
            (br_if $invalid
              (i32.ne (i32.and (i32.load8_u offset=3 (local.get $at)) (i32.const 0xc0))
                (i32.const 0x80)))
            (br_if $invalid
              (i32.and (i32.eq (local.get $byte) (i32.const 0xf0))
                (i32.lt_u (local.get $second) (i32.const 0x90))))
            (br_if $invalid
              (i32.and (i32.eq (local.get $byte) (i32.const 0xf4))
                (i32.ge_u (local.get $second) (i32.const 0x90)))))
          (local.set $at (i32.add (local.get $at) (local.get $length)))
          (br $next))
        (local.set $found (i32.or (local.get $found) (i32.const 4)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $next)))
    (i32.or (local.get $found) (i32.shl (v128.any_true (local.get $nul)) (i32.const 1))))

  ;; How many line ends bytes $at up to $end hold.
  (func (export "lines") (param $at i32) (param $end i32) (result i32)
    (local $last i32) (local $count i32) (local $newline v128) (local $sums v128)
    (local.set $newline (i8x16.splat (i32.const 0x0a)))
    (local.set $last (i32.sub (local.get $end) (i32.const 64)))
    (block $done
      (br_if $done (i32.gt_s (local.get $at) (local.get $last)))
      (loop $blocks
        ;; A byte that is equal counts as -1.
        (local.set $sums
          (i32x4.sub (local.get $sums)
            (i32x4.extadd_pairwise_i16x8_s
              (i16x8.extadd_pairwise_i8x16_s
                (i8x16.add
                  (i8x16.add
                    (i8x16.eq (local.get $newline) (v128.load (local.get $at)))
                    (i8x16.eq (local.get $newline) (v128.load offset=16 (local.get $at))))
                  (i8x16.add
                    (i8x16.eq (local.get $newline) (v128.load offset=32 (local.get $at)))
                    (i8x16.eq (local.get $newline) (v128.load offset=48 (local.get $at)))))))))
        (local.set $at (i32.add (local.get $at) (i32.const 64)))
        (br_if $blocks (i32.le_s (local.get $at) (local.get $last)))))
    (local.set $count
      (i32.add
        (i32.add (i32x4.extract_lane 0 (local.get $sums)) (i32x4.extract_lane 1 (local.get $sums)))
        (i32.add (i32x4.extract_lane 2 (local.get $sums)) (i32x4.extract_lane 3 (local.get $sums)))))
    (block $end
      (br_if $end (i32.ge_s (local.get $at) (local.get $end)))
      (loop $rest
        (local.set $count
          (i32.add (local.get $count)
            (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x0a))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br_if $rest (i32.lt_s (local.get $at) (local.get $end)))))
    (local.get $count))

  ;; Where bytes $at up to $end hold a text first, or -1. At $text lie its $length bytes, and then
  ;; as many that are set in a byte before it is compared: 0x20 where a letter may be in either case.
  ;; $first and $second are the offsets of two bytes of the text that are looked for together.
  ;; Up to 16 bytes after $end are read, and make no difference.
  (func (export "find")
    (param $at i32) (param $end i32) (param $text i32) (param $length i32)
    (param $first i32) (param $second i32) (result i32)
    (local $last i32) (local $masks i32) (local $hits i32) (local $place i32) (local $index i32)
    (local $one v128) (local $oneMask v128) (local $two v128) (local $twoMask v128)
    (local.set $last (i32.sub (local.get $end) (local.get $length)))
    (local.set $masks (i32.add (local.get $text) (local.get $length)))
    (local.set $one
      (i8x16.splat (i32.load8_u (i32.add (local.get $text) (local.get $first)))))
    (local.set $oneMask
      (i8x16.splat (i32.load8_u (i32.add (local.get $masks) (local.get $first)))))
    (local.set $two
      (i8x16.splat (i32.load8_u (i32.add (local.get $text) (local.get $second)))))
    (local.set $twoMask
      (i8x16.splat (i32.load8_u (i32.add (local.get $masks) (local.get $second)))))
    (block $none
      (br_if $none (i32.gt_s (local.get $at) (local.get $last)))
      (loop $blocks
        ;; 64 bytes.
        (block $near
          (br_if $near (i32.gt_s (i32.add (local.get $at) (i32.const 48)) (local.get $last)))
          (br_if $near
            (v128.any_true
              (v128.or
                (v128.or
                  (v128.and
                    (i8x16.eq (local.get $one)
                      (v128.or (local.get $oneMask)
                        (v128.load (i32.add (local.get $at) (local.get $first)))))
                    (i8x16.eq (local.get $two)
                      (v128.or (local.get $twoMask)
                        (v128.load (i32.add (local.get $at) (local.get $second))))))
                  (v128.and
                    (i8x16.eq (local.get $one)
                      (v128.or (local.get $oneMask)
                        (v128.load offset=16 (i32.add (local.get $at) (local.get $first)))))
                    (i8x16.eq (local.get $two)
                      (v128.or (local.get $twoMask)
                        (v128.load offset=16 (i32.add (local.get $at) (local.get $second)))))))
                (v128.or
                  (v128.and
                    (i8x16.eq (local.get $one)
                      (v128.or (local.get $oneMask)
                        (v128.load offset=32 (i32.add (local.get $at) (local.get $first)))))
                    (i8x16.eq (local.get $two)
                      (v128.or (local.get $twoMask)
                        (v128.load offset=32 (i32.add (local.get $at) (local.get $second))))))
                  (v128.and
                    (i8x16.eq (local.get $one)
                      (v128.or (local.get $oneMask)
                        (v128.load offset=48 (i32.add (local.get $at) (local.get $first)))))
                    (i8x16.eq (local.get $two)
                      (v128.or (local.get $twoMask)
                        (v128.load offset=48 (i32.add (local.get $at) (local.get $second))))))))))
          (local.set $at (i32.add (local.get $at) (i32.const 64)))
          (br $blocks))
        ;; 16 bytes.
        (br_if $none (i32.gt_s (local.get $at) (local.get $last)))
        (local.set $hits
          (i8x16.bitmask
            (v128.and
              (i8x16.eq (local.get $one)
                (v128.or (local.get $oneMask)
                  (v128.load (i32.add (local.get $at) (local.get $first)))))
              (i8x16.eq (local.get $two)
                (v128.or (local.get $twoMask)
                  (v128.load (i32.add (local.get $at) (local.get $second))))))))
        (block $next
          (br_if $next (i32.eqz (local.get $hits)))
          (loop $candidates
            (local.set $place (i32.add (local.get $at) (i32.ctz (local.get $hits))))
            (br_if $none (i32.gt_s (local.get $place) (local.get $last)))
            (local.set $index (i32.const 0))
            (block $differs
              (loop $bytes
                (br_if $differs
                  (i32.ne
                    (i32.load8_u (i32.add (local.get $text) (local.get $index)))
                    (i32.or
                      (i32.load8_u (i32.add (local.get $masks) (local.get $index)))
                      (i32.load8_u (i32.add (local.get $place) (local.get $index))))))
                (local.set $index (i32.add (local.get $index) (i32.const 1)))
                (br_if $bytes (i32.lt_u (local.get $index) (local.get $length))))
              (return (local.get $place)))
            (local.set $hits
              (i32.and (local.get $hits) (i32.sub (local.get $hits) (i32.const 1))))
            (br_if $candidates (local.get $hits))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br_if $blocks (i32.le_s (local.get $at) (local.get $last)))))
    (i32.const -1))

  ;; Where bytes $at up to $end hold one of several texts, or -1: no other one is in a line before it.
  ;; It looks for two bytes in a row of each text. At $tables lie four tables of 16 bytes: by low and
  ;; high half of the first byte, then of the second, a bit for each group of texts that may have it
  ;; there; then 16 bytes for use in here. At $texts lie $count descriptions of texts, four numbers
  ;; each: the bit of its group, the offset of its two bytes, and where and how long it is, with what
  ;; is set in a byte before it is compared after it, as in `find`.
  ;; Up to 17 bytes after $end are read, and make no difference.
  (func (export "findAny")
    (param $at i32) (param $end i32) (param $texts i32) (param $count i32) (param $tables i32)
    (result i32)
    (local $start i32) (local $hits i32) (local $bits i32) (local $pair i32) (local $left i32)
    (local $text i32) (local $length i32) (local $place i32) (local $index i32) (local $entry i32)
    (local $firstLow v128) (local $firstHigh v128) (local $secondLow v128) (local $secondHigh v128)
    (local $half v128) (local $one v128) (local $two v128) (local $groups v128)
    (local.set $start (local.get $at))
    (local.set $firstLow (v128.load (local.get $tables)))
    (local.set $firstHigh (v128.load offset=16 (local.get $tables)))
    (local.set $secondLow (v128.load offset=32 (local.get $tables)))
    (local.set $secondHigh (v128.load offset=48 (local.get $tables)))
    (local.set $half (i8x16.splat (i32.const 0x0f)))
    (block $none
      (br_if $none (i32.ge_s (local.get $at) (local.get $end)))
      (loop $blocks
        (local.set $one (v128.load (local.get $at)))
        (local.set $two (v128.load offset=1 (local.get $at)))
        (local.set $groups
          (v128.and
            (v128.and
              (i8x16.swizzle (local.get $firstLow)
                (v128.and (local.get $half) (local.get $one)))
              (i8x16.swizzle (local.get $secondLow)
                (v128.and (local.get $half) (local.get $two))))
            (v128.and
              (i8x16.swizzle (local.get $firstHigh)
                (v128.and (local.get $half) (i16x8.shr_u (local.get $one) (i32.const 4))))
              (i8x16.swizzle (local.get $secondHigh)
                (v128.and (local.get $half) (i16x8.shr_u (local.get $two) (i32.const 4)))))))
        (block $next
          (br_if $next (i32.eqz (v128.any_true (local.get $groups))))
          (v128.store offset=64 (local.get $tables) (local.get $groups))
          (local.set $hits
            (i8x16.bitmask (i8x16.ne (local.get $groups) (v128.const i32x4 0 0 0 0))))
          (loop $candidates
            (local.set $index (i32.ctz (local.get $hits)))
            (local.set $pair (i32.add (local.get $at) (local.get $index)))
            (local.set $bits
              (i32.load8_u offset=64 (i32.add (local.get $tables) (local.get $index))))
            (local.set $entry (local.get $texts))
            (local.set $left (local.get $count))
            (loop $each
              (block $differs
                (br_if $differs
                  (i32.eqz (i32.and (local.get $bits) (i32.load (local.get $entry)))))
                (local.set $place
                  (i32.sub (local.get $pair) (i32.load offset=4 (local.get $entry))))
                (local.set $text (i32.load offset=8 (local.get $entry)))
                (local.set $length (i32.load offset=12 (local.get $entry)))
                (br_if $differs (i32.lt_s (local.get $place) (local.get $start)))
                (br_if $differs
                  (i32.gt_s (i32.add (local.get $place) (local.get $length)) (local.get $end)))
                (local.set $index (i32.const 0))
                (loop $bytes
                  (br_if $differs
                    (i32.ne
                      (i32.load8_u (i32.add (local.get $text) (local.get $index)))
                      (i32.or
                        (i32.load8_u
                          (i32.add (local.get $text)
                            (i32.add (local.get $length) (local.get $index))))
                        (i32.load8_u (i32.add (local.get $place) (local.get $index))))))
                  (local.set $index (i32.add (local.get $index) (i32.const 1)))
                  (br_if $bytes (i32.lt_u (local.get $index) (local.get $length))))
                (return (local.get $place)))
              (local.set $entry (i32.add (local.get $entry) (i32.const 16)))
              (local.set $left (i32.sub (local.get $left) (i32.const 1)))
              (br_if $each (local.get $left)))
            (local.set $hits
              (i32.and (local.get $hits) (i32.sub (local.get $hits) (i32.const 1))))
            (br_if $candidates (local.get $hits))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br_if $blocks (i32.lt_s (local.get $at) (local.get $end)))))
    (i32.const -1)))
