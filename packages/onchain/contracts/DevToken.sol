// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title The settlement token of local networks
/// @notice An ERC-20 that anyone may mint. It stands where USDC stands on a real network, so it must never be
/// deployed where its tokens could be taken for money.
contract DevToken is ERC20 {
    uint8 private immutable DECIMALS;

    /// @param decimals_ 6 as USDC has; 18 on one local network, so that scaling is always exercised.
    constructor(string memory name_, string memory symbol_, uint8 decimals_) ERC20(name_, symbol_) {
        DECIMALS = decimals_;
    }

    /// @notice Creates `amount` base units for `to`. Open to everyone.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    /// @inheritdoc ERC20
    function decimals() public view override returns (uint8) {
        return DECIMALS;
    }
}
