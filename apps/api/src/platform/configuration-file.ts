import { readFile } from 'node:fs/promises'
import { substituteVariables } from '@lanyard/networks'
import type { z } from 'zod'
import { ConfigurationError } from './environment/configuration-error.ts'
import { environmentVariable } from './environment/env.ts'
import { describeIssue } from './errors/describe-issue.ts'

/**
 * Reads a JSON file of the operator. `${NAME}` in any text is replaced by an environment variable.
 *
 * @param source - how errors name the file.
 * @throws ConfigurationError listing every problem; values are never repeated, since some are secrets
 */
export async function readConfigurationFile<T extends z.ZodType>(
  source: string,
  path: string,
  schema: T,
  lookUp: (name: string) => string | undefined = environmentVariable,
): Promise<z.output<T>> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError(source, [`it cannot be read (${error.code})`])
  })
  const { document, missing } = substituteVariables(parseJson(source, text), lookUp)
  if (missing.length > 0) {
    throw new ConfigurationError(
      source,
      missing.map(({ path: place, name }) => `${place}: the variable ${name} is not set`),
    )
  }
  const parsed = schema.safeParse(document, { error: describeIssue })
  if (parsed.success) return parsed.data
  throw new ConfigurationError(
    source,
    parsed.error.issues.map(({ path: place, message }) =>
      place.length === 0 ? message : `${place.join('.')}: ${message}`,
    ),
  )
}

function parseJson(source: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // The parser's message quotes the text around the fault, which may contain keys.
    const position = /at position (\d+)/.exec(String(error))?.[1]
    const line = position === undefined ? undefined : text.slice(0, Number(position)).split('\n').length
    throw new ConfigurationError(source, [`it is not JSON${line === undefined ? '' : ` (line ${line})`}`])
  }
}
