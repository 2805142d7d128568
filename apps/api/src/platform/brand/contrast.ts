/** A colour as `#rrggbb`. */
export type Color = `#${string}`

const channelsOf = (color: Color): [number, number, number] => [
  Number.parseInt(color.slice(1, 3), 16),
  Number.parseInt(color.slice(3, 5), 16),
  Number.parseInt(color.slice(5, 7), 16),
]

/** Relative luminance (WCAG 2.2), from 0 for black to 1 for white. */
function luminanceOf(color: Color): number {
  const [red, green, blue] = channelsOf(color).map((channel) => {
    const value = channel / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast of two colours (WCAG 2.2), from 1 to 21. */
export function contrastOf(one: Color, other: Color): number {
  const [light, dark] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** Mixes two colours in sRGB. `share` of `other` is from 0 to 1. */
export function mix(color: Color, other: Color, share: number): Color {
  const others = channelsOf(other)
  const mixed = channelsOf(color).map((channel, index) =>
    Math.round(channel + ((others[index] ?? 0) - channel) * share)
      .toString(16)
      .padStart(2, '0'),
  )
  return `#${mixed.join('')}`
}
