using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Linq;
using System.Threading.Tasks;

[assembly: CLSCompliant(false)]

namespace Town.Bakery
{
    public delegate void Baked(object sender, Loaf loaf);

    [Flags]
    public enum Allergens : byte
    {
        None = 0,
        Gluten = 1,
        [Description("tree nuts")]
        Nuts = 1 << 1,
        Both = Gluten | Nuts,
    }

    public interface IOven
    {
        int Celsius { get; set; }
        event EventHandler Ready;
        void Heat(int celsius, bool steam = false);
        string Name => "oven";
        Loaf this[int shelf] { get; }
    }

    public record Loaf(string Sort, decimal Price, Allergens Allergens = Allergens.Gluten)
    {
        public static readonly Loaf Empty = new("none", 0m);
        public int Grams { get; init; } = 750;

        public decimal PerKilo()
        {
            return Price / Grams * 1000;
        }
    }

    public readonly record struct Shelf(int Row, int Column);

    public struct Weight : IComparable<Weight>
    {
        private readonly int grams;
        public const int Max = 5_000;

        public Weight(int grams) => this.grams = grams;

        public static Weight operator +(Weight a, Weight b) => new Weight(a.grams + b.grams);
        public static bool operator >(Weight a, Weight b) => a.grams > b.grams;
        public static bool operator <(Weight a, Weight b) => a.grams < b.grams;
        public static implicit operator int(Weight w) => w.grams;
        public static explicit operator Weight(string text) => new Weight(int.Parse(text));

        public int CompareTo(Weight other) => grams.CompareTo(other.grams);
    }

    [Serializable]
    public sealed partial class Baker<T> : IOven, IDisposable where T : Loaf
    {
        public const string Title = "Master";
        private static readonly Dictionary<string, decimal> Prices = new()
        {
            ["rye"] = 4.2m,
            ["wheat"] = 3.6m,
        };
        internal int hands = 2, ovens = 1;
        protected List<T> loaves = new List<T>();

        public event EventHandler Ready;
        private EventHandler handlers;
        public event EventHandler Closed
        {
            add { handlers += value; }
            remove { handlers -= value; }
        }

        static Baker()
        {
            Prices["spelt"] = 5m;
        }

        public Baker()
            : this(1)
        {
        }

        public Baker(int ovens)
        {
            this.ovens = ovens;
        }

        ~Baker()
        {
            Dispose();
        }

        [DefaultValue(220)]
        public int Celsius { get; set; } = 220;

        public int Count => loaves.Count;

        public decimal Turnover
        {
            get
            {
                decimal sum = 0;
                foreach (var loaf in loaves)
                {
                    sum += loaf.Price;
                }
                return sum;
            }
            private set => loaves.Clear();
        }

        public Loaf this[int shelf]
        {
            get => loaves[shelf];
        }

        void IOven.Heat(int celsius, bool steam)
        {
            Celsius = steam ? celsius - 20 : celsius;
        }

        public void Bake(T loaf)
        {
            Bake(loaf, 1);
        }

        [Obsolete("use Plan", error: false)]
        public void Bake(T loaf, int count)
        {
            const int batch = 12;
            for (int n = 0; n < count && loaves.Count < batch * ovens; n++)
            {
                loaves.Add(loaf);
                Ready?.Invoke(this, EventArgs.Empty);
            }
        }

        public async Task<int> Plan(IEnumerable<T> wanted, Func<T, bool> accept = null)
        {
            int Rounded(double value)
            {
                return (int)Math.Ceiling(value);
            }
            await Task.Delay(TimeSpan.FromSeconds(2));
            var rounds = wanted.Where(w => accept == null || accept(w)).Count() / 12.0;
            return Rounded(rounds);
        }

        protected internal virtual TResult Ask<TResult>(ref int tries, out string answer, params object[] args)
            where TResult : struct
        {
            answer = tries++ > 3 ? null : $"try {tries:D2} of {args.Length}";
            return default;
        }

        public void Dispose()
        {
            GC.SuppressFinalize(this);
        }

        private class Recipe
        {
            public string[] Steps = Array.Empty<string>();

            internal class Step
            {
                public TimeSpan Rest { get; } = TimeSpan.FromHours(1);
            }
        }

        enum Shift { Night, Morning }
    }

    public static class Extensions
    {
        public static decimal Discounted(this Loaf loaf, decimal rate = 0.1m)
        {
            return loaf switch
            {
                { Price: > 5 } => loaf.Price * (1 - rate),
                null => 0,
                _ => loaf.Price,
            };
        }
    }

#if DEBUG
    static class Log
    {
        public static void Write(string text) => Console.WriteLine(text);
    }
#else
    static class Log
    {
        public static void Write(string text) { }
    }
#endif

    namespace Tools
    {
        internal static class Clock
        {
            public static DateTime Now() => DateTime.UtcNow;
        }
    }
}
