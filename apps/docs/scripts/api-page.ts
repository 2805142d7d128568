import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import ts from 'typescript'

type Documented =
  | ts.FunctionDeclaration
  | ts.InterfaceDeclaration
  | ts.TypeAliasDeclaration
  | ts.ClassDeclaration
  | ts.VariableStatement

interface Export {
  readonly name: string
  readonly declaration: Documented
  readonly source: ts.SourceFile
}

const parse = (path: string) =>
  ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)

const isDocumented = (node: ts.Node): node is Documented =>
  ts.isFunctionDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isClassDeclaration(node) ||
  ts.isVariableStatement(node)

const nameOf = (node: Documented): string | undefined =>
  ts.isVariableStatement(node) ? node.declarationList.declarations[0]?.name.getText() : node.name?.getText()

const isExported = (node: Documented) =>
  node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false

/**
 * What a module exports, in the order of its text. Exports of other packages and of generated files are left out:
 * they have pages of their own.
 */
function exportsOf(path: string): Export[] {
  const source = parse(path)
  return source.statements.flatMap((statement): Export[] => {
    if (isDocumented(statement) && isExported(statement))
      return [{ name: nameOf(statement) ?? '', declaration: statement, source }]
    if (!ts.isExportDeclaration(statement) || !statement.moduleSpecifier) return []
    const from = statement.moduleSpecifier.getText().slice(1, -1)
    if (!from.startsWith('.') || from.includes('generated')) return []
    const found = exportsOf(resolve(dirname(path), from))
    const { exportClause } = statement
    if (!exportClause || !ts.isNamedExports(exportClause)) return found
    return exportClause.elements.flatMap(({ name, propertyName }) =>
      found
        .filter((one) => one.name === (propertyName ?? name).getText())
        .map((one) => ({ ...one, name: name.getText() })),
    )
  })
}

const plain = (comment: string | ts.NodeArray<ts.JSDocComment> | undefined) =>
  (ts.getTextOfJSDocComment(comment) ?? '').trim()

/** Text of a comment, as Markdown in which nothing is HTML. */
const prose = (text: string) =>
  text
    .replace(/\{@link ([^}|]+)\}/g, '`$1`')
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll('<', '&lt;').replaceAll('{', '&#123;')))
    .join('')

const cell = (text: string) => text.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ')
const code = (text: string) => `\`${cell(text)}\``

const descriptionOf = (node: ts.Node) =>
  ts
    .getJSDocCommentsAndTags(node)
    .filter(ts.isJSDoc)
    .map(({ comment }) => prose(plain(comment)))
    .join('\n\n')

const tagsOf = (node: ts.Node) =>
  ts.getJSDocTags(node).flatMap((tag) => {
    const text = prose(plain(tag.comment).replace(/^- /, ''))
    if (ts.isJSDocParameterTag(tag)) return [`- \`${tag.name.getText()}\`: ${text}`]
    const said = tag.tagName.text
    if (said === 'returns') return [`- Returns ${text}`]
    // The class is parsed as a type, without braces too.
    if (said === 'throws')
      return [
        `- Throws ${prose(
          tag
            .getText()
            .replace(/^@throws\s*/, '')
            .replace(/\s*\n\s*\*?\s*/g, ' ')
            .trim(),
        )}`,
      ]
    return []
  })

const isHidden = (member: ts.ClassElement | ts.TypeElement) =>
  (ts.canHaveModifiers(member) &&
    member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword)) ||
  (member.name !== undefined && ts.isPrivateIdentifier(member.name))

/** The declared type of a member; of a method, its signature. */
function typeOf(member: ts.ClassElement | ts.TypeElement): string {
  if (ts.isPropertySignature(member) || ts.isPropertyDeclaration(member)) return member.type?.getText() ?? ''
  if (ts.isMethodSignature(member) || ts.isMethodDeclaration(member))
    return `(${member.parameters.map((one) => one.getText()).join(', ')}) => ${member.type?.getText() ?? 'void'}`
  return ts.isGetAccessor(member) ? (member.type?.getText() ?? '') : member.getText()
}

function memberTable(members: readonly (ts.ClassElement | ts.TypeElement)[]): string {
  const rows = members
    .filter((member) => member.name && !isHidden(member))
    .map((member) => {
      const optional = 'questionToken' in member && member.questionToken ? ', optional' : ''
      return `| ${code(member.name?.getText() ?? '')} | ${code(typeOf(member))}${optional} | ${cell(descriptionOf(member))} |`
    })
  return rows.length === 0 ? '' : `| Member | Type | Meaning |\n|---|---|---|\n${rows.join('\n')}\n`
}

/** The declaration without its body and its comments. */
function signatureOf(node: Documented): string {
  if (ts.isFunctionDeclaration(node)) {
    const text = node.getText()
    return (node.body ? text.slice(0, node.body.getStart() - node.getStart()) : text)
      .replace(/^export /, '')
      .trim()
  }
  if (ts.isVariableStatement(node)) {
    const [one] = node.declarationList.declarations
    const value = one?.initializer
    if (value && ts.isArrowFunction(value)) {
      const parameters = value.parameters.map((each) => each.getText()).join(', ')
      return `const ${one.name.getText()}: (${parameters}) => ${value.type?.getText() ?? 'unknown'}`
    }
    return node.getText().replace(/^export /, '')
  }
  return node.getText().replace(/^export /, '')
}

const withoutComments = (text: string) => text.replace(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, '')

function sectionOf({ name, declaration }: Export): string {
  const isTable = ts.isInterfaceDeclaration(declaration) || ts.isClassDeclaration(declaration)
  const heritage = isTable
    ? (declaration.heritageClauses ?? []).map((clause) => clause.getText()).join(' ')
    : ''
  return [
    `### ${name}\n`,
    heritage && `\`${heritage}\`\n`,
    descriptionOf(declaration) && `${descriptionOf(declaration)}\n`,
    isTable
      ? memberTable([...declaration.members])
      : `\`\`\`ts\n${withoutComments(signatureOf(declaration))}\n\`\`\`\n`,
    tagsOf(declaration).length > 0 && `${tagsOf(declaration).join('\n')}\n`,
  ]
    .filter(Boolean)
    .join('\n')
}

/** What is called comes before the types that it takes. */
const isCalled = ({ declaration }: Export) =>
  ts.isFunctionDeclaration(declaration) || ts.isVariableStatement(declaration)

/**
 * The page of a package: every export of its entries, with the comments of the source.
 *
 * @param folder - of the package
 * @param entries - path of an export → its file, as in `package.json`
 */
export function apiPage(name: string, folder: string, entries: Readonly<Record<string, string>>): string {
  const parts = Object.entries(entries).map(([path, file]) => {
    const all = exportsOf(resolve(folder, file))
    const sorted = [...all.filter(isCalled), ...all.filter((one) => !isCalled(one))]
    const heading = `## ${path === '.' ? name : name + path.slice(1)}\n\n`
    return heading + sorted.map(sectionOf).join('\n')
  })
  const short = name.replace('@lanyard/', '')
  return `<!-- Generated by apps/docs/scripts/api-page.ts from the types of the package. -->
# API of ${name}

[What it is for, and how to use it](../../packages/${short}/README.md).

${parts.join('\n')}`
}
