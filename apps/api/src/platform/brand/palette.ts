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
function mix(color: Color, other: Color, share: number): Color {
  const others = channelsOf(other)
  const mixed = channelsOf(color).map((channel, index) =>
    Math.round(channel + ((others[index] ?? 0) - channel) * share)
      .toString(16)
      .padStart(2, '0'),
  )
  return `#${mixed.join('')}`
}

export const themes = ['light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** The colours that an operator may set. */
export const brandColors = ['background', 'surface', 'text', 'primary', 'accent'] as const
type BrandColor = (typeof brandColors)[number]

/** All colours of a theme, by the name of their variable in packages/ui/src/palette.css. */
export type Palette = Readonly<Record<(typeof paletteNames)[number], Color>>

const paletteNames = [
  'paper',
  'surface',
  'sunken',
  'line',
  'strong-line',
  'ink',
  'muted',
  'primary',
  'primary-hover',
  'on-primary',
  'accent',
  'accent-soft',
  'cord',
  'cord-soft',
  'cord-ink',
  'danger',
  'danger-soft',
] as const

/** As in packages/ui/src/palette.css; a test compares them. */
export const defaultPalettes: Readonly<Record<Theme, Palette>> = {
  light: {
    paper: '#f7f8f5',
    surface: '#ffffff',
    sunken: '#eef0eb',
    line: '#dde1da',
    'strong-line': '#8a958d',
    ink: '#14211a',
    muted: '#566259',
    primary: '#14211a',
    'primary-hover': '#2a3a31',
    'on-primary': '#ffffff',
    accent: '#0c6a4c',
    'accent-soft': '#e2efe8',
    cord: '#b57b0c',
    'cord-soft': '#faf0d9',
    'cord-ink': '#7a5200',
    danger: '#a8261c',
    'danger-soft': '#fbe9e6',
  },
  dark: {
    paper: '#101412',
    surface: '#181d1a',
    sunken: '#0b0e0c',
    line: '#2b322e',
    'strong-line': '#66726a',
    ink: '#e9eeea',
    muted: '#9caaa1',
    primary: '#e9eeea',
    'primary-hover': '#ffffff',
    'on-primary': '#101412',
    accent: '#63c9a2',
    'accent-soft': '#17302a',
    cord: '#e8b44a',
    'cord-soft': '#33290f',
    'cord-ink': '#f0c772',
    danger: '#ff9b8f',
    'danger-soft': '#3a1a17',
  },
}

/** A theme's palette with the operator's colours, from which the related ones are derived. */
export function paletteOf(
  theme: Theme,
  set: Readonly<Partial<Record<BrandColor, Color | undefined>>>,
): Palette {
  const usual = defaultPalettes[theme]
  const paper = set.background ?? usual.paper
  const surface =
    set.surface ?? (set.background ? mix(paper, '#ffffff', theme === 'light' ? 0.7 : 0.05) : usual.surface)
  const ink = set.text ?? usual.ink
  const isGround = set.background !== undefined || set.surface !== undefined || set.text !== undefined
  // Without a colour of its own for buttons, the text's colour fills them.
  const primary = set.primary ?? set.text ?? usual.primary
  const accent = set.accent ?? usual.accent
  const readable = (ground: Color): Color =>
    contrastOf(ground, '#ffffff') >= contrastOf(ground, '#101412') ? '#ffffff' : '#101412'
  return {
    ...usual,
    paper,
    surface,
    ink,
    ...(isGround && {
      sunken: mix(paper, theme === 'light' ? ink : '#000000', theme === 'light' ? 0.04 : 0.3),
      line: mix(paper, ink, 0.12),
      'strong-line': mix(paper, ink, 0.5),
      muted: mix(ink, paper, 0.3),
    }),
    ...(primary !== usual.primary && {
      primary,
      'primary-hover': mix(primary, readable(primary), 0.12),
      'on-primary': readable(primary),
    }),
    ...((set.accent || isGround) && { accent, 'accent-soft': mix(surface, accent, 0.12) }),
  }
}

/** WCAG 2.2: 1.4.3 for text, 1.4.11 for the edge of a button. */
const textContrast = 4.5
const edgeContrast = 3

/** Pairs of colours that touch, with the setting that changes the first, and the least contrast. */
const pairs: readonly (readonly [
  color: keyof Palette,
  ground: keyof Palette,
  setting: BrandColor,
  what: string,
  least: number,
])[] = [
  ...(['paper', 'surface', 'sunken'] as const).flatMap((ground) => [
    ['ink', ground, 'text', 'text', textContrast] as const,
    ['muted', ground, 'text', 'quiet text, which is derived from it,', textContrast] as const,
    ['accent', ground, 'accent', 'links', textContrast] as const,
    ['danger', ground, 'background', 'the text of warnings', textContrast] as const,
  ]),
  ['accent', 'accent-soft', 'accent', 'text on its own light shade', textContrast],
  ['ink', 'accent-soft', 'accent', 'text on its light shade', textContrast],
  ['muted', 'accent-soft', 'accent', 'quiet text on its light shade', textContrast],
  ['on-primary', 'primary', 'primary', 'text on buttons', textContrast],
  ['on-primary', 'primary-hover', 'primary', 'text on buttons under the pointer', textContrast],
  ['primary', 'surface', 'primary', 'buttons', edgeContrast],
  ['primary', 'paper', 'primary', 'buttons', edgeContrast],
]

/** What each ground is called in the file. */
const groundNames: Partial<Record<keyof Palette, string>> = {
  paper: 'the background',
  surface: 'the surface',
  sunken: 'the shade of the background',
}

interface ContrastProblem {
  readonly setting: BrandColor
  readonly message: string
}

/** The pairs of colours that people with weak sight cannot tell apart. One problem for each setting. */
export function contrastProblems(palette: Palette): readonly ContrastProblem[] {
  const problems = pairs.flatMap(([color, ground, setting, what, least]): ContrastProblem[] => {
    const contrast = contrastOf(palette[color], palette[ground])
    if (contrast >= least) return []
    const where = groundNames[ground] ? ` on ${groundNames[ground]}` : ''
    return [
      {
        setting,
        message: `the contrast of ${what}${where} is ${contrast.toFixed(2)} (${palette[color]}, ${palette[ground]}); WCAG AA needs ${least}`,
      },
    ]
  })
  return [
    ...new Map(problems.toReversed().map((problem) => [problem.setting, problem])).values(),
  ].toReversed()
}

/** The variables that differ from the defaults, as a style sheet. Empty without a difference. */
export function cssOf(palettes: Readonly<Record<Theme, Palette>>): string {
  const changed = paletteNames.filter((name) =>
    themes.some((theme) => palettes[theme][name] !== defaultPalettes[theme][name]),
  )
  if (changed.length === 0) return ''
  const lines = changed.map(
    (name) => `  --color-${name}: light-dark(${palettes.light[name]}, ${palettes.dark[name]});`,
  )
  return `:root {\n${lines.join('\n')}\n}\n`
}
