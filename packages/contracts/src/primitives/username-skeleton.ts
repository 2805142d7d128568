import { confusables } from './confusables.generated.ts'

const counterparts = new Map(
  confusables.flatMap(([looksLike, characters]) =>
    [...characters].map((character) => [character, looksLike] as const),
  ),
)

/**
 * What a username looks like: two names of one skeleton are confusable (UTS 39 §4), though their characters come from
 * different scripts. Characters of one script stay apart: `rn` is not `m`, and `0` is not `O`. Case is ignored after
 * the comparison, since a capital and its small letter look different.
 */
export function usernameSkeleton(name: string): string {
  const characters = [...name.normalize('NFKC').trim().normalize('NFD')]
  return characters
    .map((character) => counterparts.get(character) ?? character)
    .join('')
    .toLowerCase()
    .normalize('NFKC')
}
