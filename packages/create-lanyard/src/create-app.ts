import { copyFile, cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { CreateError } from './create-error.ts'

/** Where each template's page is, and the words of its README. */
export const templates = {
  react: {
    title: 'React with Vite',
    port: 5173,
    provider: 'src/main.tsx',
    variable: 'VITE_LANYARD_URL',
  },
  next: {
    title: 'Next.js with the App Router',
    port: 3001,
    provider: 'src/app/layout.tsx',
    variable: 'NEXT_PUBLIC_LANYARD_URL',
  },
} as const

export type TemplateName = keyof typeof templates

export const isTemplateName = (text: string): text is TemplateName => Object.hasOwn(templates, text)

export interface CreateAppOptions {
  /** Absolute, or relative to the current folder. It must not exist, or be empty. Its last part is the app's name. */
  readonly folder: string
  readonly template: TemplateName
  /** A folder with tarballs of our packages, which are copied into the app. Default: the registry has them. */
  readonly packages?: string
}

/** Vite needs it. */
const oldestNode = [20, 19] as const

const packageFolder = fileURLToPath(new URL('..', import.meta.url))
const readJson = async (path: string) => JSON.parse(await readFile(join(packageFolder, path), 'utf8'))

/** @throws CreateError for a Node.js that the app does not run on */
export function requireNode(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return
  throw new CreateError(`This is Node.js ${version}. The app needs ${oldestNode.join('.')} or later.`)
}

/**
 * Writes an app. The folder appears when it is complete, so a failure leaves nothing behind.
 *
 * @returns the absolute path of the app, and its name
 * @throws CreateError for a name that npm does not take, a folder that has something in it, or tarballs that are missing
 */
export async function createApp({
  folder,
  template,
  packages,
}: CreateAppOptions): Promise<{ readonly path: string; readonly name: string }> {
  const path = resolve(folder)
  const name = basename(path)
  requireName(name)
  await requireRoom(path)
  const tarballs = packages === undefined ? undefined : await findTarballs(resolve(packages))
  const manifest = await manifestOf(template, name, tarballs)

  const next = join(dirname(path), `.${name}-${process.pid}`)
  try {
    await mkdir(next, { recursive: true })
    for (const part of ['shared', template])
      await cp(join(packageFolder, 'templates', part), next, { recursive: true })
    // npm leaves out files of this name.
    await rename(join(next, 'gitignore'), join(next, '.gitignore'))
    await writeFile(join(next, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
    await fillReadme(join(next, 'README.md'), name, template)
    if (tarballs) {
      await mkdir(join(next, 'packages'))
      for (const { file, source } of tarballs.values()) await copyFile(source, join(next, 'packages', file))
    }
    // Replaces an empty folder, and fails if something was put into it meanwhile.
    await rename(next, path)
  } catch (cause) {
    await rm(next, { recursive: true, force: true })
    throw cause
  }
  return { path, name }
}

function requireName(name: string): void {
  if (/^[a-z0-9][a-z0-9._-]{0,213}$/.test(name) && name !== 'node_modules') return
  throw new CreateError(
    `${JSON.stringify(name)} cannot be the name of a package. Use lower-case letters, digits and hyphens, such as my-app.`,
  )
}

async function requireRoom(path: string): Promise<void> {
  const present = await readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    if (error.code === 'ENOTDIR') throw new CreateError(`${path} is a file. Choose another name.`)
    throw new CreateError(`${path} cannot be read: ${error.message}`)
  })
  if (present.length > 0)
    throw new CreateError(
      `${path} is not empty. Choose another name, or an empty folder. Nothing was changed.`,
    )
}

interface Tarball {
  readonly file: string
  readonly source: string
}

/** Tarballs of our packages, by the package's name: `lanyard-react-0.1.0.tgz` is `@lanyard/react`. */
async function findTarballs(folder: string): Promise<ReadonlyMap<string, Tarball>> {
  const files = await readdir(folder).catch(() => {
    throw new CreateError(`${folder} is no folder with tarballs.`)
  })
  return new Map(
    files.flatMap((file) => {
      const [, short] = /^lanyard-(.+)-\d+\.\d+\.\d+.*\.tgz$/.exec(file) ?? []
      return short ? [[`@lanyard/${short}`, { file, source: join(folder, file) }] as const] : []
    }),
  )
}

type Manifest = Record<string, unknown> & Record<'dependencies' | 'devDependencies', Record<string, string>>

/** The manifest with exact versions: of our packages the version of this one, of all others those of `versions.json`. */
async function manifestOf(
  template: TemplateName,
  name: string,
  tarballs: ReadonlyMap<string, Tarball> | undefined,
): Promise<Manifest> {
  const [manifest, versions, { version }] = await Promise.all([
    readJson(`templates/${template}/package.json`) as Promise<Manifest>,
    readJson('versions.json') as Promise<Record<string, string>>,
    readJson('package.json') as Promise<{ version: string }>,
  ])
  const versionOf = (dependency: string): string => {
    if (!dependency.startsWith('@lanyard/')) return versions[dependency] ?? ''
    if (!tarballs) return version
    const tarball = tarballs.get(dependency)
    if (!tarball) throw new CreateError(`The folder of tarballs has none of ${dependency}.`)
    return `file:packages/${tarball.file}`
  }
  const withVersions = (dependencies: Record<string, string>) =>
    Object.fromEntries(Object.keys(dependencies).map((one) => [one, versionOf(one)]))
  const { dependencies, devDependencies } = manifest
  // What our packages need of each other is no registry's either.
  const isNamed = (one: string) => one in dependencies || one in devDependencies
  const others = Object.fromEntries(
    [...(tarballs?.keys() ?? [])].filter((one) => !isNamed(one)).map((one) => [one, '']),
  )
  return {
    ...manifest,
    name,
    dependencies: withVersions({ ...dependencies, ...others }),
    devDependencies: withVersions(devDependencies),
  }
}

async function fillReadme(path: string, name: string, template: TemplateName): Promise<void> {
  const { title, port, provider, variable } = templates[template]
  const words: Record<string, string> = { name, framework: title, port: String(port), provider, variable }
  const text = await readFile(path, 'utf8')
  await writeFile(
    path,
    text.replaceAll(/\{\{(\w+)\}\}/g, (whole, word: string) => words[word] ?? whole),
  )
}
