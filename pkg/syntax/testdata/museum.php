<?php

declare(strict_types=1);

namespace Museum\Collection;

use DateTimeImmutable;
use InvalidArgumentException;
use Museum\Events\{Moved, Sold as SoldEvent};
use function array_map;

const MAX_LOANS = 12;
define('MUSEUM_OPEN', '10:00');
define('MUSEUM_CLOSED', '17:30');

$defaultHall = 'A1';
[$first, $second] = ['east', 'west'];

interface Exhibit
{
    public const KIND = 'exhibit';

    public function label(string $language = 'en'): string;

    public static function fromArray(array $row): self;
}

#[Attribute(Attribute::TARGET_CLASS)]
final class Catalogued
{
    public function __construct(public readonly int $year, private ?string $by = null)
    {
    }
}

enum Condition: string
{
    case Good = 'good';
    case Worn = 'worn';
    #[Deprecated]
    case Broken = 'broken';

    public static function parse(string $text): self
    {
        return self::tryFrom(strtolower(trim($text))) ?? self::Worn;
    }

    public function isShown(): bool
    {
        return match ($this) {
            self::Good, self::Worn => true,
            self::Broken => false,
        };
    }
}

trait Movable
{
    protected string $hall = 'store';
    private static int $moves = 0;

    public function move(string $hall): static
    {
        $this->hall = $hall;
        self::$moves++;
        return $this;
    }

    abstract public function weight(): float;
}

abstract class Piece implements Exhibit, \JsonSerializable
{
    use Movable {
        move as protected moveQuietly;
    }

    const VERSION = 3, MINOR = 1;
    final public const string ORIGIN = 'unknown';
    public static $count = 0;
    protected array $notes = [], $tags = ['new'];
    private ?DateTimeImmutable $bought = null;
    public readonly int $number;

    public function __construct(
        int $number,
        protected string $title,
        private Condition $condition = Condition::Good,
    ) {
        $this->number = $number;
        static::$count += 1;
    }

    abstract public function value(): int;

    public function __get(string $name): mixed
    {
        return $this->notes[$name] ?? null;
    }

    public function jsonSerialize(): array
    {
        return ['title' => $this->title, 'value' => $this->value() / 100];
    }

    final protected function note(string ...$texts): void
    {
        foreach ($texts as $key => $text) {
            if ($text === '' || isset($this->notes[$key])) {
                continue;
            }
            $this->notes[] = $text;
        }
    }
}

#[Catalogued(year: 1998)]
class Painting extends Piece
{
    public function label(string $language = 'en'): string
    {
        $quoted = "“{$this->title}”";
        return <<<TEXT
        {$quoted} ($language)
        TEXT;
    }

    public static function fromArray(array $row): self
    {
        if (!array_key_exists('title', $row)) {
            throw new InvalidArgumentException('a painting needs a title');
        }
        return new self($row['number'] ?? 0, $row['title']);
    }

    public function value(): int
    {
        $base = static fn (int $cents): int => $cents * 2;
        return $base(100_00) + self::MINOR;
    }

    public function weight(): float
    {
        return 4.5;
    }
}

class Loan
{
    private array $pieces = [];
    private $closed = false;

    public function add(Piece $piece, int $days = 30): bool
    {
        if (count($this->pieces) >= MAX_LOANS and !$this->closed) {
            return false;
        }
        $this->pieces[$piece->number] = $days;
        return true;
    }

    public function total(callable $rate): float
    {
        $sum = array_reduce($this->pieces, function ($carry, $days) use ($rate) {
            return $carry + $rate($days);
        }, 0);
        switch (true) {
            case $sum > 1000:
                return $sum * 0.9;
            default:
                return (float) $sum;
        }
    }

    public function value(): int
    {
        return 0;
    }
}

function shown(iterable $pieces, bool $all = false): \Generator
{
    function inner(Piece $piece): bool
    {
        return $piece->weight() < 50;
    }
    foreach ($pieces as $piece) {
        if ($all || inner($piece)) {
            yield $piece->number => $piece;
        }
    }
}

if (!function_exists('Museum\Collection\hall')) {
    function hall(int $n): string
    {
        return 'H' . $n;
    }
} else {
    function hall(int $n): string
    {
        return 'hall ' . $n;
    }
}

$format = fn (Piece $p) => sprintf('%05d %s', $p->number, $p->label());
