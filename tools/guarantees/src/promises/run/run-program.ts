import { spawn } from 'node:child_process'

interface Program {
  readonly name: string
  readonly parameters: readonly string[]
  readonly folder: string
  readonly env?: Readonly<Record<string, string>>
  /** Called with each line of its output as it arrives. */
  readonly onLine?: (line: string) => void
}

/** Runs a program to its end. A failing suite also exits non-zero; its report has the result. */
export async function runProgram({
  name,
  parameters,
  folder,
  env = {},
  onLine = () => {},
}: Program): Promise<{ readonly output: string; readonly errors: string }> {
  const child = spawn(name, parameters, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [output, errors, rest] = ['', '', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => resolve())
  })
  return { output, errors }
}
