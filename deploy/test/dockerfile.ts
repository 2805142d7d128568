import { readFileSync } from 'node:fs'
import { DockerfileParser } from 'dockerfile-ast'

export const dockerfileText = readFileSync(new URL('../Dockerfile', import.meta.url), 'utf8')

/** The stages of the Dockerfile, each with its base and its instructions. */
export interface Stage {
  readonly name: string
  readonly from: string
  readonly instructions: readonly { readonly keyword: string; readonly text: string }[]
}

export function readStages(): readonly Stage[] {
  const stages: { name: string; from: string; instructions: { keyword: string; text: string }[] }[] = []
  for (const instruction of DockerfileParser.parse(dockerfileText).getInstructions()) {
    const keyword = instruction.getKeyword()
    const text = instruction.getArgumentsContent() ?? ''
    if (keyword === 'FROM') {
      const [from = '', , name = ''] = text.split(/\s+/)
      stages.push({ name, from, instructions: [] })
    } else stages.at(-1)?.instructions.push({ keyword, text })
  }
  return stages
}

/** The environment and commands of a stage, including those inherited from earlier stages. */
export function readStage(name: string): { env: Record<string, string>; command: string[]; check: string[] } {
  const stage = readStages().find((one) => one.name === name)
  if (!stage) return { env: {}, command: [], check: [] }
  const inherited = readStage(stage.from)
  const last = (keyword: string) =>
    stage.instructions.findLast((instruction) => instruction.keyword === keyword)?.text
  const env = Object.fromEntries(
    stage.instructions
      .filter(({ keyword }) => keyword === 'ENV')
      .flatMap(({ text }) =>
        [...text.matchAll(/(\w+)=(\S+)/g)].map(([, key = '', value = '']) => [key, value]),
      ),
  )
  return {
    env: { ...inherited.env, ...env },
    command: parseCommand(last('CMD')) ?? inherited.command,
    check: parseCommand(last('HEALTHCHECK')) ?? inherited.check,
  }
}

/** The JSON form of CMD, after any options. */
function parseCommand(text: string | undefined): string[] | undefined {
  return text === undefined ? undefined : JSON.parse(text.slice(text.indexOf('[')))
}
