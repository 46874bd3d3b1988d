/** What a colleague is called across a desk: "Maya Patel" is "Maya". */
export function firstName(name: string): string {
  return name.split(' ')[0] ?? name
}
