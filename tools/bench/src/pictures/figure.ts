/** Formats with three significant digits, and as an integer from 100. */
export function figure(value: number): string {
  return value >= 100
    ? Math.round(value).toLocaleString('en-US')
    : String(Number.parseFloat(value.toPrecision(3)))
}

/** Round values from 0 to the first one that is at least `max`: no more than six. */
export function ticksTo(max: number): readonly number[] {
  if (!(max > 0)) return [0, 1]
  const power = 10 ** Math.floor(Math.log10(max / 5))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate * 5 >= max)
  if (step === undefined) throw new TypeError(`There is no axis up to ${max}`)
  return Array.from({ length: Math.ceil(max / step) + 1 }, (_, index) => index * step)
}
