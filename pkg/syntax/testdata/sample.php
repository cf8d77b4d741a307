<?php

declare(strict_types=1);

namespace App\Harbour;

use InvalidArgumentException;
use App\Base as Root;

const MAX_DRAUGHT = 12, MIN_DRAUGHT = 1;
define('HARBOUR', 'north');

$registry = ['north' => 1];

/** A pilot. */
interface Pilot extends \Countable
{
    const RATE = 3;

    public function guide(string $ship): int;
}

trait Logs
{
    protected array $log = [];

    private function note(string $line): void
    {
        $this->log[] = "{$line} at " . date('c');
    }
}

enum State: string
{
    case Free = 'free';
    case Taken = 'taken';

    public function label(): string
    {
        return match ($this) {
            self::Free => 'Free',
            default => 'Taken',
        };
    }
}

#[Entity(table: 'berths')]
final class Berth extends Root implements Pilot
{
    use Logs;

    public const LIMIT = 3, OTHER = 4;
    private static ?int $count = 0, $last;
    public readonly string $name;

    public function __construct(
        private readonly Clock $clock,
        protected ?State $state = null,
        int $plain = 1,
    ) {
        parent::__construct();
        self::$count++;
    }

    #[Pure]
    public function guide(string $ship): int
    {
        $half = fn (int $n) => $n / 2;
        $each = function ($n) use ($half) {
            $inside = 1;
            return $half($n);
        };
        if ($each(4) > MAX_DRAUGHT && $this->clock?->now() !== null) {
            throw new InvalidArgumentException("too deep: $ship");
        }
        return count([1, 2]);
    }

    public static function of(int ...$numbers): static
    {
        return new static(new Clock());
    }

    abstract protected function hidden();

    public function text(): string
    {
        return <<<TEXT
            Berth {$this->name}
            TEXT;
    }
}

class Clock
{
    public function now() { return time(); }
}

function half(int $n): int
{
    return $n >> 1;
}

if (!function_exists('twice')) {
    function twice($n)
    {
        return $n * 2;
    }
}

echo half(4);
