// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

contract Counter {
    error CounterRefused(uint256 at);

    uint256 public count;

    function increment() external {
        ++count;
    }

    function refuse() external view {
        revert CounterRefused(count);
    }

    /// @dev Writes `slots` new slots, about 22,100 gas each.
    function fill(uint256 slots) external {
        for (uint256 i; i < slots; ++i) {
            assembly ("memory-safe") {
                sstore(add(1000, i), 1)
            }
        }
    }
}

/// @dev Succeeds whatever its inner call does: with too little gas, the work is silently left undone.
contract Swallower {
    Counter public immutable COUNTER = new Counter();
    uint256 public swallowed;

    function work(uint256 slots) external {
        try COUNTER.fill(slots) {}
        catch {
            ++swallowed;
        }
    }
}

/// @dev Demands much more gas than it uses.
contract Demanding {
    error TooLittleGas();

    uint256 public done;

    function work(uint256 atLeast) external {
        if (gasleft() < atLeast) revert TooLittleGas();
        ++done;
    }
}

/// @dev Uses an amount of gas that depends on the available gas, as code that reads gasleft() can.
contract GasDependent {
    uint256 public seen;

    function work() external {
        uint256 rounds = gasleft() / 65_536;
        for (uint256 i; i < rounds; ++i) {
            keccak256(abi.encode(i));
        }
        seen = 1;
    }
}

/// @dev Never ends.
contract Endless {
    function work() external pure {
        while (true) {}
    }
}
