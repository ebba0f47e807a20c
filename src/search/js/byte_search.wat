;; Looks over the bytes of a file 16 at a time: the source of the module in byte_search.ts.
(module
  (import "host" "memory" (memory 1))

  ;; What bytes $at up to $end hold: 1 for one that is not ASCII, 2 for a NUL, both added.
  (func (export "classify") (param $at i32) (param $end i32) (result i32)
    (local $last i32) (local $block v128) (local $high v128) (local $nul v128)
    (local $byte i32) (local $found i32)
    (local.set $last (i32.sub (local.get $end) (i32.const 16)))
    (block $done
      (br_if $done (i32.gt_s (local.get $at) (local.get $last)))
      (loop $blocks
        (local.set $block (v128.load (local.get $at)))
        (local.set $high (v128.or (local.get $high) (local.get $block)))
        (local.set $nul
          (v128.or (local.get $nul)
            (i8x16.eq (local.get $block) (v128.const i32x4 0 0 0 0))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br_if $blocks (i32.le_s (local.get $at) (local.get $last)))))
    (local.set $found
      (i32.or
        (i32.ne (i8x16.bitmask (local.get $high)) (i32.const 0))
        (i32.shl (v128.any_true (local.get $nul)) (i32.const 1))))
    (block $end
      (br_if $end (i32.ge_u (local.get $at) (local.get $end)))
      (loop $rest
        (local.set $byte (i32.load8_u (local.get $at)))
        (local.set $found
          (i32.or (local.get $found)
            (i32.or
              (i32.shr_u (local.get $byte) (i32.const 7))
              (i32.shl (i32.eqz (local.get $byte)) (i32.const 1)))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br_if $rest (i32.lt_u (local.get $at) (local.get $end)))))
    (local.get $found))

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
    (i32.const -1)))
