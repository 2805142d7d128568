import type { Command } from 'commander'
import { contrastOf, themes } from '../../../platform/brand/palette.ts'
import { readBrand } from '../../../platform/brand/read-brand.ts'
import { ConfigurationError } from '../../../platform/environment/configuration-error.ts'
import { readCliEnv } from '../../../platform/environment/env.ts'
import { withManual } from '../manual.ts'
import { withJson } from '../options.ts'
import { createOutput } from '../output.ts'
import { terminal } from '../terminal.ts'

/** `lanyard brand check`. */
export function addBrand(group: Command): void {
  withManual(withJson(group.command('check').description('read the file and name its problems')), {
    about: 'docs/brand.md describes the file. The service reads it at start.',
    environment: { BRAND_FILE: 'needed: the brand' },
    examples: ['brand check'],
  }).action((options: JsonOption) => checkBrand(options))
}

async function checkBrand(options: JsonOption): Promise<void> {
  const { BRAND_FILE } = readCliEnv(terminal().env)
  if (BRAND_FILE === undefined)
    throw new ConfigurationError('The environment', ['BRAND_FILE: needed, a file with a brand'])
  const { shown, palettes } = await readBrand(BRAND_FILE)
  const contrasts = themes.map((theme) => {
    const { ink, accent, paper, primary } = palettes[theme]
    return {
      theme,
      text: contrastOf(ink, paper).toFixed(2),
      links: contrastOf(accent, paper).toFixed(2),
      buttons: contrastOf(primary, paper).toFixed(2),
      textOnButtons: contrastOf(palettes[theme]['on-primary'], primary).toFixed(2),
    }
  })
  const output = createOutput(options)
  output.say(`${shown.name}, no problems. Contrast with the background:`)
  for (const { theme, text, links, buttons, textOnButtons } of contrasts)
    output.say(
      `  ${theme}: text ${text}, links ${links}, buttons ${buttons}, text on buttons ${textOnButtons}`,
    )
  output.finish({ brand: shown, contrasts })
}

interface JsonOption {
  readonly json?: boolean
}
