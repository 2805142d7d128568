/**
 * What explains a failed test afterwards: the output of every process that the test's file started, the HTTP requests
 * of the test process, the log of services in it, and what a helper registers, such as a browser's picture. All of it
 * stays in memory, bounded, and is written to `artifacts/failures/<file>/<test>` of the package only if a test fails.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { failuresFolder } from '../summary-folder.ts'
import { Ring } from './ring.ts'

/** Characters of each source: the output of one process, for example. */
const limit = 100_000

interface Source {
  /** The file that it becomes. */
  readonly name: string
  /** What it holds now. */
  readonly read: () => Promise<string | Uint8Array> | string | Uint8Array
  /** Whether it still grows. An ended source is dropped at the end of the test file. */
  isOpen: boolean
}

const sources = new Set<Source>()
let count = 0

export interface TextEvidence {
  add(text: string): void
  end(): void
}

/** @param name with its ending: `anvil.log`. A number is put before it. */
export function keepText(name: string): TextEvidence {
  const ring = new Ring(limit)
  const source = add(name, () => ring.toString())
  return {
    add: (text) => ring.add(text),
    end: () => {
      source.isOpen = false
    },
  }
}

/**
 * Where the log of a service in this process goes, so that a failure shows it and a passing run does not. It is kept to the
 * end of the test file.
 */
export function logEvidence(name: string): { write(line: string): void } {
  const text = keepText(`${name}.log`)
  text.end()
  return { write: (line) => text.add(line) }
}

/**
 * Registers something that is only read if a test fails while it is open, such as a picture of a page.
 *
 * @param read its error becomes the content
 * @returns a function that ends it
 */
export function keepSource(name: string, read: () => Promise<string | Uint8Array>): () => void {
  const source = add(name, read)
  return () => void sources.delete(source)
}

function add(name: string, read: Source['read']): Source {
  count++
  const source = { name: `${String(count).padStart(3, '0')}-${name}`, read, isOpen: true }
  sources.add(source)
  return source
}

/** At the end of a test file: what has ended belonged to it. */
export function dropEnded(): void {
  for (const source of sources) if (!source.isOpen) sources.delete(source)
}

/** Writes what is known now. @returns the folder, relative to the package's */
export async function writeEvidence(title: readonly string[], errors: readonly string[]): Promise<string> {
  // Without dots, so that no folder looks like a test file.
  const folder = join(failuresFolder, ...title.map((part) => toFileName(part).replaceAll('.', '-')))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'errors.txt'), `${errors.map(stripVTControlCharacters).join('\n\n')}\n`)
  for (const { name, read } of sources) {
    const content = await Promise.resolve()
      .then(read)
      .catch((error: unknown) => String(error))
    if (content.length > 0) writeFileSync(join(folder, toFileName(name)), content)
  }
  return folder
}

const toFileName = (text: string) =>
  stripVTControlCharacters(text)
    .replaceAll(/[^\w.-]+/g, '-')
    .slice(0, 100)
