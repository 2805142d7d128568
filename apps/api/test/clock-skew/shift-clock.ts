/**
 * Loaded before the service. It shifts the wall clock by CLOCK_SHIFT milliseconds. Elapsed time is measured
 * correctly.
 */

const shift = Number(process.env.CLOCK_SHIFT)
const now = () => clock.now() + shift

const clock = globalThis.Date
globalThis.Date = new Proxy(clock, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
