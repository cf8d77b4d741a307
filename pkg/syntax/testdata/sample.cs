using System;
using System.Collections.Generic;
using Alias = System.Collections.Generic.List<int>;

namespace Port.Berths
{
    /// <summary>What a berth is doing.</summary>
    [Flags]
    public enum State : byte
    {
        Free,
        Taken = 2,
        Closed,
    }

    public delegate void Moored(object sender, int ship);

    public interface IPilot : IDisposable
    {
        string Name { get; }
        void Guide(int ship);
        int Twice(int n) => n * 2;
    }

    public record Entry(int Ship, string Clerk)
    {
        public bool Late { get; init; }
    }

    public readonly struct Depth
    {
        public readonly double Metres;
        public Depth(double metres) { Metres = metres; }
        public static Depth operator +(Depth a, Depth b) => new Depth(a.Metres + b.Metres);
        public static implicit operator double(Depth d) => d.Metres;
    }

    [Serializable]
    public abstract partial class Berth<T> : Base, IPilot where T : class, new()
    {
        public const int MaxDraught = 12, MinDraught = 1;
        private readonly List<T> _log = new(), _old = new();
        protected static int count = 0;
        public event EventHandler<int> Changed;
        public event Moored OnMoored { add { } remove { } }

        static Berth() { count = 1; }

        public Berth(int number) : base(number)
        {
            Number = number;
        }

        ~Berth() { Dispose(); }

        public int Number { get; private set; } = 1;
        public string Name => $"berth {Number:D2}";

        public T this[int index]
        {
            get { return _log[index]; }
            set { _log[index] = value; }
        }

        [Obsolete("use Assign")]
        public virtual async Task<bool> AssignAsync([NotNull] T ship, int draught = 3)
        {
            int Local(int n) => n + 1;
            var bigger = draught > MaxDraught;
            if (bigger)
            {
                throw new ArgumentException(@"too ""deep""");
            }
            await Task.Delay(1);
            _log.Add(ship);
            return draught switch { 1 => true, _ => false };
        }

        public bool Assign(T ship) => Assign(ship, 1);
        public bool Assign(T ship, int draught) { return true; }
        public abstract void Guide(int ship);
        void IDisposable.Dispose() { }

        private class Inner
        {
            internal int Value;
            internal void Run() { }
        }
    }
}

namespace Port
{
    static class Extensions
    {
        public static int Half(this int n) => n / 2;
    }
}
