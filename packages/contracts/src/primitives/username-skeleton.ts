import { confusables } from './confusables.generated.ts'
import { foldAlike } from './username-folds.ts'

const counterparts = new Map(
  confusables.flatMap(([looksLike, characters]) =>
    [...characters].map((character) => [character, looksLike] as const),
  ),
)

/** Pages show several spaces as one. */
const oneSpace = (name: string): string => name.replace(/ {2,}/g, ' ')

/** Replaces characters that look like a text of another script. */
const acrossScripts = (text: string): string =>
  [...text].map((character) => counterparts.get(character) ?? character).join('')

const decomposed = (name: string) => oneSpace(name.normalize('NFKC').trim()).normalize('NFD')

/** What a name looks like in its own script's letters, in lower case: for patterns such as those of addresses. */
export const plainLook = (name: string): string =>
  acrossScripts(decomposed(name)).toLowerCase().normalize('NFKC')

const isAscii = /^[ -~]*$/

/** Of the letters, digits and signs of ASCII, only these look alike, and `0` and `O`. */
const asciiAlike = /[I1|]/g

/**
 * The version of what `usernameSkeleton` returns. With another one, stored names are computed again when the database is
 * migrated.
 */
export const usernameSkeletonVersion = 2

/**
 * What a username looks like: two names of one skeleton are confusable (UTS 39 §4), whether their characters come from
 * different scripts or from one: `I`, `l` and `1`, `O` and `0`, Latin letters with a stroke or an accent, a dotless `i`.
 * Other characters of one script stay apart: `rn` is not `m`. Case is ignored after the comparison, since a capital and its
 * small letter look different.
 */
export const usernameSkeleton = (name: string): string =>
  isAscii.test(name)
    ? oneSpace(name.trim()).replace(asciiAlike, 'l').replaceAll('0', 'o').toLowerCase() // the same, without the tables
    : foldAlike(acrossScripts(foldAlike(decomposed(name))).normalize('NFD'))
        .toLowerCase()
        .normalize('NFKC')
