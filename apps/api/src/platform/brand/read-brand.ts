import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, extname, resolve } from 'node:path'
import type { EndpointResult, endpoints } from '@lanyard/contracts'
import { readConfigurationFile } from '../configuration-file.ts'
import { ConfigurationError } from '../environment/configuration-error.ts'
import { type BrandFile, brandFile } from './brand-file.ts'
import { contrastProblems, cssOf, type Palette, paletteOf, type Theme, themes } from './palette.ts'

/** The name and look of the wallet. */
export interface Brand {
  /** The answer of `GET /brand`, without the logins, which are not in BRAND_FILE. */
  readonly shown: Omit<EndpointResult<typeof endpoints.system.brand>, 'logins'>
  /** Undefined: the wallet's own logo. */
  readonly logo: BrandLogo | undefined
  /** Variables that override those of the wallet. Empty if none does. */
  readonly css: string
  /** False without BRAND_FILE: the pages are served as they were built. */
  readonly isOwn: boolean
  /** All colours by theme, for pages with a style sheet of their own. */
  readonly palettes: Readonly<Record<Theme, Palette>>
}

interface BrandLogo {
  readonly bytes: Buffer
  readonly type: string
}

/** A logo of more bytes would delay the first paint on a slow connection. */
const maxLogo = 256 * 1024

const types: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
}

/** How the files begin, or contain soon after their beginning. */
const signatures: Readonly<Record<string, RegExp>> = {
  '.svg': /<svg[\s>]/,
  '.png': /^.PNG\r\n/s,
  '.webp': /^RIFF[\s\S]{4}WEBP/,
}

const source = 'BRAND_FILE'

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex').slice(0, 12)

/**
 * Reads BRAND_FILE and the logo beside it, and checks the contrast of the colours.
 *
 * @param path - undefined: Lanyard's own brand
 * @throws ConfigurationError naming each wrong field
 */
export async function readBrand(path: string | undefined): Promise<Brand> {
  if (path === undefined) return defaultBrand
  const file = await readConfigurationFile(source, path, brandFile)
  const problems = themes.flatMap((theme) =>
    contrastProblems(paletteOf(theme, file.colors[theme])).map(
      ({ setting, message }) => `colors.${theme}.${setting}: ${message}`,
    ),
  )
  if (problems.length > 0) throw new ConfigurationError(source, problems)
  return toBrand(
    file,
    file.logo === undefined ? undefined : await readLogo(resolve(dirname(path), file.logo)),
  )
}

async function readLogo(path: string): Promise<BrandLogo> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError(source, [`logo: the file cannot be read (${error.code})`])
  })
  if (bytes.length > maxLogo)
    throw new ConfigurationError(source, [`logo: the file has ${bytes.length} bytes; at most ${maxLogo}`])
  const extension = extname(path)
  if (!signatures[extension]?.test(bytes.subarray(0, 2_048).toString('latin1')))
    throw new ConfigurationError(source, [`logo: the file is not what its name says (${extension})`])
  return { bytes, type: types[extension] ?? 'application/octet-stream' }
}

function toBrand(file: BrandFile, logo: BrandLogo | undefined): Brand {
  const palettes = {
    light: paletteOf('light', file.colors.light),
    dark: paletteOf('dark', file.colors.dark),
  } satisfies Record<Theme, Palette>
  const colorsOf = (palette: Palette) => ({
    background: palette.paper,
    surface: palette.surface,
    text: palette.ink,
    primary: palette.primary,
    onPrimary: palette['on-primary'],
    accent: palette.accent,
  })
  return {
    shown: {
      name: file.name,
      // The hash makes a browser fetch a new logo at once.
      logo: logo ? `/icon.svg?${hashOf(logo.bytes)}` : null,
      colors: { light: colorsOf(palettes.light), dark: colorsOf(palettes.dark) },
      links: file.links,
      tokens: file.tokens ?? null,
      features: file.features,
      language: file.language ?? null,
    },
    logo,
    css: cssOf(palettes),
    palettes,
    isOwn: true,
  }
}

/** Lanyard's own brand. */
export const defaultBrand: Brand = { ...toBrand(brandFile.parse({}), undefined), isOwn: false }
