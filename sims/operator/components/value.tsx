/** A JSON value as it can be read: text as it is, lists line by line, the rest as JSON. Nothing in it becomes markup. */
export function Value({ value }: { value: unknown }) {
  if (typeof value === 'string')
    return value === '' ? (
      <span class="literal">empty text</span>
    ) : (
      <span class="text" dir="auto">
        {value}
      </span>
    )
  if (typeof value !== 'object' || value === null) return <code class="literal">{JSON.stringify(value)}</code>
  if (Object.keys(value).length === 0)
    return <span class="literal">{Array.isArray(value) ? 'empty list' : 'nothing in it'}</span>
  if (!isPlainList(value)) return <code class="block">{JSON.stringify(value, null, 2)}</code>
  return (
    <ul class="items">
      {value.map((item, index) => (
        <li key={index}>
          <Value value={item} />
        </li>
      ))}
    </ul>
  )
}

/** A list without lists or objects in it, and short enough to be read. */
function isPlainList(value: object): value is readonly unknown[] {
  return Array.isArray(value) && value.length <= 50 && value.every((item) => typeof item !== 'object' || item === null)
}
