export function OwnersScreen() {
  return null
}
